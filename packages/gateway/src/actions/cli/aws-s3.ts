import { hasOption, optionTable, parseArgv } from './argv-parser.ts';
import { AWS_GLOBAL_ROWS } from './aws-options.ts';
import { asUnknown, type CliContext, type CliIntent, readIntent, writeIntent } from './cli-intent.ts';
import { withOutput } from './output-file.ts';

const S3_OPTIONS = optionTable(AWS_GLOBAL_ROWS, {
  none: `--dryrun --quiet --follow-symlinks --no-follow-symlinks --no-guess-mime-type --guess-mime-type
    --only-show-errors --no-progress --ignore-glacier-warnings --force-glacier-transfer --recursive --delete
    --size-only --exact-timestamps --no-overwrite --human-readable --summarize --force`,
  value: `--include --exclude --acl --storage-class --sse-c --sse-c-key --sse-kms-key-id --sse-c-copy-source
    --sse-c-copy-source-key --website-redirect --content-type --cache-control --content-disposition
    --content-encoding --content-language --expires --source-region --page-size --request-payer --metadata
    --copy-props --metadata-directive --expected-size --checksum-mode --checksum-algorithm --case-conflict
    --bucket-name-prefix --bucket-region`,
  maybe: '--sse',
});

/** `aws s3 …`: reading is listing, and copying from a bucket into the working folder. */
export function classifyS3(operation: string, words: readonly string[], context: CliContext): CliIntent {
  const name = `s3 ${operation}`;
  const parsed = parseArgv(words, S3_OPTIONS, { abbreviations: true });
  const intent = judge(operation, name, parsed.positionals, hasOption(parsed, '--delete'), context);
  return parsed.doubts[0] === undefined ? intent : asUnknown(intent, parsed.doubts[0]);
}

function judge(
  operation: string,
  name: string,
  [source = '', target = '', ...more]: readonly string[],
  deletes: boolean,
  context: CliContext,
): CliIntent {
  if (operation === 'ls') return readIntent('remote', 'custom:cli', name);
  const copies = operation === 'cp' || operation === 'sync';
  const downloads = isBucket(source) && target !== '' && !isBucket(target) && more.length === 0;
  if (!copies || !downloads) return writeIntent('remote', 'custom:cli', name);
  // `sync --delete` removes what the bucket does not have, here.
  const base = deletes ? writeIntent('remote', 'custom:cli', name) : readIntent('remote', 'custom:cli', name);
  return withOutput(base, target, context);
}

function isBucket(path: string): boolean {
  return path.startsWith('s3://');
}
