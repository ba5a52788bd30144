import { hasOption, optionTable, optionValues, parseArgv } from '../argv-parser.ts';
import { asUnknown, type CliClassifier, type CliContext, type CliIntent } from '../cli-intent.ts';
import { awayReason, isInsideCwd } from '../output-file.ts';
import { type Goals, goalsClassifier } from '../table/goals.ts';
import { intentOf, type RowKind } from '../table/row-kinds.ts';
import { scriptKind } from './scripts.ts';

/** Goals of Maven: phases, and what plug-ins of its own and common ones do. */
const MAVEN: Goals = {
  options: {
    none: `-h|--help -v|--version -V|--show-version -q|--quiet -X|--debug -e|--errors -o|--offline -B|--batch-mode -N|--non-recursive
      -am|--also-make -amd|--also-make-dependents -fae|--fail-at-end -ff|--fail-fast -fn|--fail-never -U|--update-snapshots
      -ntp|--no-transfer-progress -nsu|--no-snapshot-updates -C|--strict-checksums -c|--lax-checksums
      -llr|--legacy-local-repository -npu|--no-plugin-updates`,
    value: `-P|--activate-profiles -pl|--projects -rf|--resume-from -T|--threads -f|--file -s|--settings -gs|--global-settings
      -t|--toolchains -gt|--global-toolchains -l|--log-file -b|--builder -emp|--encrypt-master-password
      -ep|--encrypt-password --color`,
  },
  kinds: {
    look: `help:help help:effective-pom help:describe help:active-profiles help:evaluate help:system dependency:tree
      dependency:list dependency:analyze dependency:resolve-plugins enforcer:display-info versions:display-dependency-updates
      versions:display-plugin-updates versions:display-property-updates buildplan:list`,
    fetch:
      'dependency:resolve dependency:go-offline dependency:get dependency:sources dependency:copy-dependencies',
    edit: 'clean versions:set versions:revert versions:commit versions:use-latest-releases archetype:generate wrapper:wrapper',
    work: `validate initialize generate-sources process-sources generate-resources process-resources compile process-classes
      test-compile package prepare-package pre-site site site:site compiler:compile resources:resources jar:jar war:war
      spring-boot:run spring-boot:build-image spring-boot:repackage quarkus:dev quarkus:build jetty:run tomcat7:run exec:java
      exec:exec spotless:apply fmt:format formatter:format assembly:single shade:shade javadoc:javadoc source:jar antrun:run
      liquibase:status flyway:info install jib:dockerBuild docker:build frontend:npm protobuf:compile`,
    test: `test verify integration-test surefire:test failsafe:integration-test failsafe:verify checkstyle:check pmd:check
      spotbugs:check spotless:check jacoco:report jacoco:check sonar:help pitest:mutationCoverage dependency-check:check
      license:check fmt:check formatter:validate enforcer:enforce`,
    deploy: `deploy deploy:deploy deploy:deploy-file release:prepare release:perform release:clean site-deploy site:deploy
      jib:build docker:push nexus-staging:release nexus-staging:deploy gpg:sign scm:tag scm:checkin wagon:upload
      versions:deploy`,
    admin: 'flyway:migrate flyway:clean flyway:repair liquibase:update liquibase:rollback liquibase:dropAll',
  },
  places: ['--file', '--log-file'],
  traps: {
    '--settings': 'takes repositories and credentials from another file',
    '--global-settings': 'takes repositories and credentials from another file',
    '--toolchains': 'names programs to build with',
    '--global-toolchains': 'names programs to build with',
    '--encrypt-master-password': 'deals in passwords',
    '--encrypt-password': 'deals in passwords',
  },
  // Settings of code that runs: which program, which agent, which repository.
  trapSettings:
    /^(?:exec\.executable|exec\.args|.*argLine|altDeploymentRepository|.*[rR]epository\.?[uU]rl|maven\.ext\.class\.path|.*jvm.*|.*agent.*|.*proxyHost|maven\.repo\.remote|.*[pP]assword.*|gpg\..*)$/,
};

/** Tasks of Gradle. A project may stand before one: `:app:test`. */
const GRADLE: Goals = {
  options: {
    none: `-?|-h|--help -v|--version -V|--show-version -q|--quiet -i|--info -d|--debug -w|--warn -s|--stacktrace
      -S|--full-stacktrace --daemon --no-daemon --foreground --stop --status --offline --continue --no-continue --parallel
      --no-parallel --build-cache --no-build-cache --configuration-cache --no-configuration-cache --rerun-tasks
      --refresh-dependencies -m|--dry-run --scan --no-scan --profile -t|--continuous --watch-fs --no-watch-fs
      --write-locks --no-rebuild -a --all --info --fail-fast`,
    value: `-x|--exclude-task -p|--project-dir -g|--gradle-user-home -I|--init-script -c|--settings-file -b|--build-file
      --project-cache-dir --max-workers --console --warning-mode --include-build --priority --tests
      -F|--dependency-verification -M|--write-verification-metadata --configuration --dependency --gradle-version`,
  },
  kinds: {
    look: `tasks projects properties dependencies dependencyInsight buildEnvironment components model help dependentComponents
      javaToolchains outgoingVariants resolvableConfigurations signingReport`,
    edit: 'clean cleanTest init wrapper updateDaemonJvm',
    work: `build assemble compile compileJava compileKotlin compileGroovy compileTestJava compileTestKotlin classes testClasses jar war ear
      bootJar bootRun bootBuildImage run runClient installDist distZip distTar shadowJar javadoc dokkaHtml kotlinDoc
      processResources generate generateProto generateSources assembleDebug assembleRelease bundleDebug bundleRelease bundle
      ktlintFormat spotlessApply spotlessJavaApply spotlessKotlinApply googleJavaFormat buildNeeded buildDependents
      publishToMavenLocal kaptDebugKotlin compileDebugKotlin compileDebugJavaWithJavac quarkusDev`,
    test: `test check testDebugUnitTest testReleaseUnitTest connectedAndroidTest connectedCheck connectedDebugAndroidTest
      integrationTest functionalTest lint lintDebug lintRelease lintFix lintKotlin ktlintCheck detekt spotlessCheck checkstyleMain
      checkstyleTest pmdMain spotbugsMain jacocoTestReport jacocoTestCoverageVerification koverHtmlReport koverVerify
      allTests jvmTest verifyGoogleJavaFormat dependencyUpdates dependencyCheckAnalyze apiCheck`,
    deploy: `publish publishPlugins publishAllPublicationsToMavenRepository publishToSonatype uploadArchives deploy release
      closeAndReleaseRepository closeAndReleaseSonatypeStagingRepository jib dockerPush bootPush appengineDeploy
      publishReleaseBundle promoteArtifact`,
    host: 'installDebug installRelease uninstallDebug uninstallAll',
    admin: 'flywayMigrate flywayClean flywayRepair update rollbackCount dropAll',
  },
  nameOf: (word) => word.slice(word.lastIndexOf(':') + 1),
  places: ['--project-dir', '--settings-file', '--build-file', '--project-cache-dir', '--include-build'],
  traps: {
    '--init-script': 'runs a script before the build',
    '--gradle-user-home': 'takes settings and programs from another folder',
    '--scan': 'sends a report of the build to a server',
  },
  trapSettings:
    /^(?:org\.gradle\.(?:java\.home|jvmargs|daemon|workers|caching).*|.*[pP]assword.*|.*[tT]oken.*|.*proxyHost|signing\..*)$/,
  dry: '--dry-run',
};

/** Words of which targets are made that work here. */
const TARGETS: ReadonlySet<string> = new Set(
  `all build builds compile debug default dist bundle assets static image images bin binary binaries lib libs docs doc
  documentation html css js site serve server run start dev develop watch stop up down logs shell help list print info
  version test tests check checks lint linters fmt format formatting vet typecheck types unit integration e2e smoke bench
  benchmark benchmarks cover coverage race fuzz verify validate ci audit spec tidy deps dep dependencies vendor mod gen
  generate generated codegen proto protos protobuf wire mocks mock swagger openapi schema sqlc clean cleanall distclean
  mrproper setup init bootstrap prepare configure config tools env venv requirements lock update upgrade upgrades
  defconfig menuconfig olddefconfig modules kernel examples example demo fix pre commit hooks changelog i18n messages
  po pot man info-docs pdf package tarball snapshot local quick fast full migrate migrations migration seed fixtures db
  database reset compose docker container containers backend frontend web api app ui client worker cli core python py node
  go rust java ts typescript wasm android ios linux macos windows amd64 arm64 x86 release-build prerelease-check`.split(
    /\s+/,
  ),
);
const HOST_TARGETS: ReadonlySet<string> = new Set(
  'install uninstall install-strip modules_install headers_install altinstall install-bin'.split(' '),
);

const MAKE_OPTIONS = optionTable({
  none: `-b -m -B|--always-make -d|--debug -e|--environment-overrides -h|--help -i|--ignore-errors -k|--keep-going -S
    --no-keep-going --stop -n|--just-print|--dry-run|--recon -p|--print-data-base -q|--question -r|--no-builtin-rules -R
    --no-builtin-variables -s|--silent|--quiet --no-silent -t|--touch -v|--version -w|--print-directory
    --no-print-directory --warn-undefined-variables --trace -L|--check-symlink-times`,
  value: `-C|--directory -f|--file|--makefile -I|--include-dir -o|--old-file|--assume-old -W|--what-if|--new-file|--assume-new
    -E|--eval --jobserver-auth`,
  maybe: '-j|--jobs -l|--load-average|--max-load -O|--output-sync --shuffle',
});
const MAKE_TRAP =
  /^(?:SHELL|\.SHELLFLAGS|MAKE|MAKEFLAGS|MFLAGS|GNUMAKEFLAGS|MAKEFILES|MAKEOVERRIDES|VPATH|PATH)\s*[+:?!]*=/;

/** make: targets of the Makefile that lies here. */
export const classifyMake: CliClassifier = (argv, context) => {
  const parsed = parseArgv(argv.slice(1), MAKE_OPTIONS, { abbreviations: true });
  if (parsed.doubts.length === 0 && hasOption(parsed, '--help', '--version')) return intentOf('look', 'help');
  // `-j 8`: the number is its own word, and no target.
  const words = parsed.positionals.filter((word) => !/^\d+$/.test(word));
  const settings = words.filter((word) => word.includes('='));
  const targets = words.filter((word) => !word.includes('='));
  const kinds = targets.map(targetKind);
  const kind =
    kinds.find((one) => one !== 'work' && one !== 'test') ?? kinds.find((one) => one === 'work') ?? kinds[0];
  const operation = ['make', ...targets].join(' ');
  const intent = {
    ...intentOf(kind ?? 'work', operation),
    ...(settings.length > 0 ? { object: settings.join(' ') } : {}),
  };
  const reason =
    parsed.doubts[0] ??
    (hasOption(parsed, '--eval') ? '`--eval` adds rules to the Makefile' : undefined) ??
    (settings.some((word) => MAKE_TRAP.test(word)) ? 'it names the shell that make runs' : undefined) ??
    awayReason(
      [
        ...optionValues(parsed, '--directory', '--makefile', '--include-dir'),
        ...settings.map(valueIn),
        ...targets,
      ],
      context,
    );
  return reason === undefined ? intent : asUnknown(intent, reason);
};

function targetKind(target: string): RowKind {
  if (HOST_TARGETS.has(target)) return 'host';
  const kind = scriptKind(target, 'work');
  if (kind !== 'work') return kind;
  const known = target
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .some((part) => TARGETS.has(part));
  // A file of the workspace is a target as well.
  return known || /^[\w.-]+(?:\/[\w.-]+)*\.\w+$/.test(target) ? 'work' : 'code';
}

function valueIn(setting: string): string {
  return setting.slice(setting.indexOf('=') + 1);
}

const CMAKE_OPTIONS = optionTable({
  none: `--fresh --verbose -v --clean-first --build --install --open --strip --component-all -N --version --help
    --list-presets --graphviz-all --trace --trace-expand --debug-output --warn-uninitialized --check-system-vars
    --compile-no-warning-as-error -Wdev -Wno-dev -Wdeprecated --log-context --workflow -L -LA -LAH -LH --use-stderr`,
  value: `-S -B -G -A -T -C -P -E -D -U -t|--target --preset --config --component --prefix --log-level --toolchain
    --install-prefix --default-directory-permissions --resolve-package-references --trace-redirect --profiling-output
    --profiling-format --graphviz`,
  maybe: '-j|--parallel',
});
const CMAKE_PROGRAM =
  /COMPILER|TOOLCHAIN|LAUNCHER|LINKER|PROGRAM|EXECUTABLE|MODULE_PATH|INCLUDE|MAKE_PROGRAM|RULE/;

/** cmake: configure, build, install, or one of its small tools. */
export const classifyCmake: CliClassifier = (argv, context) => {
  const words = argv.slice(1);
  if (words[0] === '-E') return cmakeTool(words.slice(1), context);
  // `-DX=Y` and `-D X=Y`; after `--` come words for make or ninja.
  const dashes = words.indexOf('--');
  const own = dashes < 0 ? words : words.slice(0, dashes);
  const parsed = parseArgv(own, CMAKE_OPTIONS);
  const has = (name: string): boolean => own.includes(name);
  if (own.length === 1 && /^--(?:version|help.*|list-presets)$/.test(own[0] ?? ''))
    return intentOf('look', 'help');
  const operation = has('--build')
    ? '--build'
    : has('--install')
      ? '--install'
      : has('-P')
        ? '-P'
        : 'configure';
  const targets = optionValues(parsed, '--target');
  const kinds = targets.map(targetKind);
  const prefix = optionValues(parsed, '--prefix').at(-1);
  const kind: RowKind =
    operation === '--install'
      ? prefix !== undefined && isInsideCwd(prefix, context)
        ? 'work'
        : 'host'
      : (kinds.find((one) => one !== 'work' && one !== 'test' && one !== 'code') ?? 'work');
  const intent: CliIntent = intentOf(kind, [operation, ...targets].join(' '));
  const settings = optionValues(parsed, '-D');
  const away = awayReason(
    [
      ...optionValues(
        parsed,
        '-S',
        '-B',
        '-C',
        '-P',
        '--toolchain',
        '--trace-redirect',
        '--profiling-output',
        '--graphviz',
      ),
      ...parsed.positionals,
      ...settings
        .filter((setting) => CMAKE_PROGRAM.test(setting))
        .map(valueIn)
        .filter((path) => !/^\/usr\/(?:local\/)?bin\//.test(path)),
    ],
    context,
  );
  const reason =
    parsed.doubts[0] ??
    (has('--open') ? '`--open` starts another program' : undefined) ??
    (dashes < 0 ? undefined : makeWords(words.slice(dashes + 1), context)) ??
    away;
  return reason === undefined ? intent : asUnknown(intent, reason);
};

function makeWords(words: readonly string[], context: CliContext): string | undefined {
  return classifyMake(['make', ...words], context).unknown;
}

const CMAKE_TOOLS: Readonly<Record<string, RowKind>> = {
  ...Object.fromEntries(
    'capabilities cat compare_files echo echo_append environment md5sum sha1sum sha224sum sha256sum sha384sum sha512sum sleep true false'
      .split(' ')
      .map((name) => [name, 'look' as const]),
  ),
  ...Object.fromEntries(
    'copy copy_directory copy_directory_if_different copy_if_different create_hardlink create_symlink make_directory rename touch touch_nocreate tar remove remove_directory rm'
      .split(' ')
      .map((name) => [name, 'edit' as const]),
  ),
};

function cmakeTool(words: readonly string[], context: CliContext): CliIntent {
  const [name = '', ...rest] = words;
  const kind = Object.hasOwn(CMAKE_TOOLS, name) ? CMAKE_TOOLS[name] : undefined;
  if (kind === undefined) return { ...intentOf('code', `-E ${name}`.trim()), object: rest.join(' ') };
  const intent = intentOf(kind, `-E ${name}`);
  const reason = kind === 'look' ? undefined : awayReason(rest, context);
  return reason === undefined ? intent : asUnknown(intent, reason);
}

export const classifyMaven: CliClassifier = goalsClassifier('mvn', MAVEN);
export const classifyGradle: CliClassifier = goalsClassifier('gradle', GRADLE);
