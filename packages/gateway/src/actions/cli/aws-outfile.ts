import { optionTable, parseArgv } from './argv-parser.ts';
import { AWS_GLOBAL_ROWS } from './aws-options.ts';
import { asUnknown, type CliContext, type CliIntent } from './cli-intent.ts';
import { withOutput } from './output-file.ts';

/** Operations that stream their answer into a file named by the one positional argument. */
const OPERATIONS: ReadonlySet<string> = new Set(
  `
  apigateway:get-export apigateway:get-sdk apigatewayv2:export-api appconfig:get-configuration
  appconfig:get-hosted-configuration-version appconfigdata:get-latest-configuration
  appsync:get-introspection-schema cloudfront:get-connection-function cloudfront:get-function
  codeartifact:get-package-version-asset codeguruprofiler:get-profile datazone:get-lineage-event
  ebs:get-snapshot-block geo-maps:get-glyphs geo-maps:get-sprites geo-maps:get-static-map
  geo-maps:get-style-descriptor geo-maps:get-tile glacier:get-job-output iot-data:get-thing-shadow
  iotwireless:get-position-estimate iotwireless:get-resource-position kinesis-video-archived-media:get-clip
  kinesis-video-archived-media:get-media-for-fragment-list kinesis-video-media:get-media
  lakeformation:get-work-unit-results location:get-map-glyphs location:get-map-sprites
  location:get-map-style-descriptor location:get-map-tile medialive:describe-input-device-thumbnail
  mediastore-data:get-object medical-imaging:get-image-frame medical-imaging:get-image-set-metadata
  omics:get-read-set omics:get-reference s3api:get-object s3api:get-object-torrent sagemaker-geospatial:get-tile
  schemas:get-code-binding-source tnb:get-sol-function-package-content tnb:get-sol-function-package-descriptor
  tnb:get-sol-network-package-content tnb:get-sol-network-package-descriptor
  workmailmessageflow:get-raw-message-content
  `
    .trim()
    .split(/\s+/),
);

/** Options of those operations that take one value. One that takes a list could eat the file, so it is unknown. */
const OPTIONS = optionTable(AWS_GLOBAL_ROWS, {
  none: '--crop-labels --image-mask --include-directives --include-extensions',
  value: `
    --accept --accepts --account-id --advanced-configuration --api-id --application --application-id --arn
    --asset --block-index --block-token --bounded-positions --bounding-box --bucket --buildings
    --cell-towers --center --checksum-mode --client-configuration-version --client-id
    --clip-fragment-selector --color-scheme --compact-overlay --configuration --configuration-profile-id
    --configuration-token --contour-density --datastore-id --domain --domain-identifier --domain-owner
    --end-time --environment --execution-role-arn --expected-bucket-owner --export-type --export-version
    --file --file-name --font-stack --font-unicode-range --format --geo-json-overlay --gnss --height --id
    --identifier --if-match --if-modified-since --if-none-match --if-unmodified-since
    --image-frame-information --image-set-id --input-device-id --ip --job-id --key --label-size --language
    --map-name --max-depth --message-id --name --namespace --nsd-info-id --output-data-type --output-format
    --output-type --package --package-version --package-version-revision --padding --parameters
    --part-number --path --period --points-of-interests --political-view --profiling-group-name
    --property-filters --query-id --radius --range --reference-store-id --registry-name --repository
    --request-payer --resource-identifier --resource-type --response-cache-control
    --response-content-disposition --response-content-encoding --response-content-language
    --response-content-type --response-expires --rest-api-id --scale-bar-unit --schema-name --schema-version
    --sdk-type --sequence-store-id --shadow-name --snapshot-id --specification --sse-customer-algorithm
    --sse-customer-key --sse-customer-key-md5 --stage --stage-name --start-selector --start-time
    --stream-arn --stream-name --style --target --terrain --thing-name --tileset --time-range-filter
    --timestamp --traffic --variant --vault-name --version-id --version-number --vnf-pkg-id --width
    --work-unit-id --work-unit-token --x --y --z --zoom`,
});

/** Adds the file that an operation streams into; unknown when the words do not say which one that is. */
export function withOutfile(
  intent: CliIntent,
  key: string,
  words: readonly string[],
  context: CliContext,
): CliIntent {
  if (!OPERATIONS.has(key)) return intent;
  const { positionals, doubts } = parseArgv(words, OPTIONS, { abbreviations: true });
  const [outfile, ...more] = positionals;
  if (doubts[0] !== undefined) return asUnknown(intent, doubts[0]);
  if (outfile === undefined || more.length > 0) return asUnknown(intent, 'the output file cannot be told');
  return withOutput(intent, outfile, context);
}
