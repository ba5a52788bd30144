import { dirname } from 'node:path';
import { findProgram, type HostFacts, type Registry, registriesAt } from './registry.ts';
import { readZipEntry } from './zip-entry.ts';

const SUPER_POM = 'org/apache/maven/model/pom-4.0.0.xml';
const MAX_JAR_BYTES = 16 * 1_048_576;

/**
 * Maven: repositories and mirrors of the user's and the installation's `settings.xml`, and the default that
 * stands in the super POM of the installed Maven, unless a mirror of everything takes its place.
 */
export function mavenRegistries(facts: HostFacts): readonly Registry[] {
  const { env, files, home } = facts;
  const program = findProgram(facts, 'mvn');
  const root =
    env.MAVEN_HOME ?? env.M2_HOME ?? (program === undefined ? undefined : dirname(dirname(program)));
  const found: Registry[] = [];
  let mirrored = false;
  for (const path of [
    `${home}/.m2/settings.xml`,
    root === undefined ? undefined : `${root}/conf/settings.xml`,
  ]) {
    if (path === undefined) continue;
    // The template that Maven ships explains itself with addresses in comments.
    const xml = (files.text(path) ?? '').replace(/<!--.*?-->/gs, '');
    if (/<mirrorOf>\s*(?:\*|central)\s*<\/mirrorOf>/.test(xml)) mirrored = true;
    const urls = [...xml.matchAll(/<url>\s*([^<\s]+)\s*<\/url>/g)].map((match) => match[1]);
    found.push(...registriesAt('maven', urls, path));
  }
  return mirrored ? found : [...installedDefault(facts, root), ...found];
}

function installedDefault({ files }: HostFacts, root: string | undefined): readonly Registry[] {
  for (const folder of [root === undefined ? undefined : `${root}/lib`, '/usr/share/maven/lib']) {
    if (folder === undefined) continue;
    for (const name of files.list(folder)) {
      if (!/^maven-model-builder.*\.jar$/.test(name)) continue;
      const jar = files.bytes(`${folder}/${name}`, MAX_JAR_BYTES);
      const pom = jar === undefined ? undefined : readZipEntry(jar, SUPER_POM)?.toString('utf8');
      const urls = [...(pom ?? '').matchAll(/<url>\s*([^<\s]+)\s*<\/url>/g)].map((match) => match[1]);
      const registries = registriesAt('maven', urls, `${folder}/${name}`);
      if (registries.length > 0) return registries;
    }
  }
  return [];
}
