/** Where a configuration starts programs of the machine that it runs on, in HCL or JSON. */
const STARTS: readonly (readonly [pattern: RegExp, what: string])[] = [
  [/\bprovisioner\s*"?local-exec\b|"local-exec"/, 'a `local-exec` provisioner'],
  [/\bdata\s*"external"|"external"\s*:/, 'an `external` data source'],
  [/\bprovisioner\s*"?(?:remote-exec|file)\b|"remote-exec"/, 'a provisioner that goes into another machine'],
];

/**
 * What of a terraform configuration runs programs, each with the file that it stands in. By its text, also in comments: rather one
 * question too many. Providers are programs as well, and those the lock names.
 */
export function programsInConfig(files: Iterable<readonly [name: string, text: string]>): readonly string[] {
  const found: string[] = [];
  for (const [name, text] of files) {
    if (!/\.(?:tf|tofu)(?:\.json)?$/.test(name)) continue;
    // A comment between two words is a blank to terraform.
    const plain = text.replaceAll(/\/\*[\s\S]*?\*\//g, ' ');
    for (const [pattern, what] of STARTS)
      if (pattern.test(plain) || pattern.test(text)) found.push(`${what} in ${name}`);
  }
  return found;
}
