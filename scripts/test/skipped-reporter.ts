import type { Reporter, TestModule, TestSuite } from 'vitest/node';

/** Names what was skipped, and so what to type to have it run: the names end in the command that installs it. */
export class SkippedReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const lines = modules.flatMap((module) =>
      skippedIn(module).map((name) => `  ${module.relativeModuleId}: ${name}`),
    );
    if (lines.length === 0) return;
    console.log(`\nSkipped, because this machine does not have what they need:\n${lines.join('\n')}`);
  }
}

/** The tests that were skipped; a whole group by its own name. */
function skippedIn(parent: TestModule | TestSuite): readonly string[] {
  return [...parent.children].flatMap((child): readonly string[] => {
    if (child.type === 'test') return child.result().state === 'skipped' ? [child.name] : [];
    const tests = [...child.children.allTests()];
    if (tests.every((test) => test.result().state === 'skipped'))
      return [`${child.name}: all ${tests.length}`];
    return skippedIn(child).map((name) => `${child.name} > ${name}`);
  });
}
