import type { CliTable } from '../table/cli-table.ts';
import type { Refine } from '../table/read-table.ts';
import { BUN, BUNX, DENO } from './bun-deno.ts';
import { ESLINT, OTHER_CHECKERS, PRETTIER, PYTEST, refineOther, refinePytest, TSC } from './checkers.ts';
import { COMPOSE, DOCKER, HELM, refineCompose, refineDocker } from './containers.ts';
import { GLAB } from './glab.ts';
import { DLV, GORELEASER, JUPYTER, NCU, PRISMA, STERN, TWINE } from './helpers.ts';
import { APT, BREW, JOURNALCTL, refineBrew, refineTmux, SYSTEMCTL, TMUX } from './machine.ts';
import { NPM, NPX, PNPM, refineNpm, refineScripts, YARN } from './node-packages.ts';
import { PIP, POETRY, refinePoetry, refineUv, UV, UVX } from './python-packages.ts';
import { CARGO, GO, refineCargo, refineGo } from './rust-go.ts';

/** A program with its table. */
export interface KnownProgram {
  /** how it is called, the usual name first */
  readonly names: readonly string[];
  readonly table: CliTable;
  readonly refine?: Refine;
}

/** Programs that are read by their table alone. */
export const KNOWN_PROGRAMS: readonly KnownProgram[] = [
  { names: ['npm'], table: NPM, refine: refineNpm },
  { names: ['npx'], table: NPX },
  { names: ['pnpm'], table: PNPM, refine: refineScripts },
  { names: ['yarn', 'yarnpkg'], table: YARN, refine: refineScripts },
  { names: ['pip', 'pip3'], table: PIP },
  { names: ['uv'], table: UV, refine: refineUv },
  { names: ['uvx'], table: UVX },
  { names: ['poetry'], table: POETRY, refine: refinePoetry },
  { names: ['cargo'], table: CARGO, refine: refineCargo },
  { names: ['go'], table: GO, refine: refineGo },
  { names: ['pytest', 'py.test'], table: PYTEST, refine: refinePytest },
  { names: ['tsc'], table: TSC },
  { names: ['eslint'], table: ESLINT },
  { names: ['prettier'], table: PRETTIER },
  { names: ['docker', 'podman'], table: DOCKER, refine: refineDocker },
  { names: ['docker-compose', 'podman-compose'], table: COMPOSE, refine: refineCompose },
  { names: ['helm'], table: HELM },
  { names: ['glab'], table: GLAB },
  { names: ['brew'], table: BREW, refine: refineBrew },
  { names: ['apt', 'apt-get', 'apt-cache', 'apt-mark', 'aptitude'], table: APT },
  { names: ['systemctl'], table: SYSTEMCTL },
  { names: ['journalctl'], table: JOURNALCTL },
  { names: ['tmux'], table: TMUX, refine: refineTmux },
  { names: ['bun'], table: BUN, refine: refineScripts },
  { names: ['bunx'], table: BUNX },
  { names: ['deno'], table: DENO },
  { names: ['dlv'], table: DLV },
  { names: ['goreleaser'], table: GORELEASER },
  { names: ['twine'], table: TWINE },
  { names: ['jupyter'], table: JUPYTER },
  { names: ['ncu', 'npm-check-updates'], table: NCU },
  { names: ['prisma'], table: PRISMA },
  { names: ['stern'], table: STERN },
  ...[...OTHER_CHECKERS].map(([name, table]) => ({ names: [name], table, refine: refineOther })),
];
