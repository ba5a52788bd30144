import {
  type CliCases,
  LOCAL_READ,
  LOCAL_WRITE,
  REMOTE_READ,
  REMOTE_WRITE,
  rows,
  SECRET,
  UNKNOWN,
} from './cli-case.ts';

const DEPLOY = { ...REMOTE_WRITE, risk: 'critical', type: 'deploy:production' } as const;

export const GCLOUD_CASES: CliCases = {
  friendly: [
    ...rows(REMOTE_READ, [
      ['gcloud compute instances list', 'listing', { operation: 'compute instances list' }],
      ['gcloud --project p compute instances describe vm --zone z', 'an option before the group'],
      ['gcloud compute --project=p instances list --format=json', 'an option between'],
      ['gcloud beta run services list', 'a track'],
      ['gcloud secrets list', 'names of secrets'],
      ['gcloud projects list', 'projects'],
    ]),
    ...rows(LOCAL_READ, [
      ['gcloud config list', 'local settings'],
      ['gcloud auth list', 'local accounts'],
    ]),
    ...rows(DEPLOY, [['gcloud run deploy web --image x', 'a deployment']]),
  ],
  hostile: [
    ...rows(SECRET, [
      ['gcloud secrets versions access latest --secret=x', 'a secret'],
      ['gcloud auth print-access-token', 'a token'],
      ['gcloud auth print-identity-token', 'a token'],
      ['gcloud auth application-default print-access-token', 'a token'],
      ['gcloud config config-helper --format=json', 'a token'],
      ['gcloud compute ssh vm', 'a shell'],
      ['gcloud alpha compute ssh vm', 'a shell, in a track'],
      ['gcloud kms decrypt --key k', 'a plain text'],
      ['gcloud iam service-accounts keys create k.json', 'a key that stays'],
      ['gcloud container clusters get-credentials c', 'credentials'],
    ]),
    ...rows(UNKNOWN, [
      ['gcloud --impersonate-service-account=a compute instances list', 'someone else'],
      ['gcloud compute instances list --impersonate-service-account a', 'at the end'],
      ['gcloud compute instances list --account=a', 'other credentials'],
      ['gcloud compute instances list --access-token-file=x', 'other credentials'],
      ['gcloud compute instances list --flags-file=x', 'flags from a file'],
      ['gcloud compute --frobnicate instances list', 'the next word may be its value'],
      ['gcloud config set account x', 'changes what later commands do'],
      ['gcloud compute instances frobnicate list', 'a name called list'],
      ['gcloud frobnicate list', 'no group'],
      ['gcloud list', 'no group at all'],
      ['gcloud compute', 'no verb'],
      ['gcloud', 'nothing'],
      ['gsutil ls gs://b', 'no table'],
      ['bq query x', 'no table'],
    ]),
    ...rows({ ...REMOTE_WRITE, risk: 'high' }, [
      ['gcloud compute instances delete list', 'an instance called list'],
      ['gcloud compute instances delete describe --quiet', 'an instance called describe'],
      ['gcloud projects add-iam-policy-binding p', 'rights'],
      ['gcloud services enable x', 'a service'],
    ]),
    ...rows({ ...REMOTE_WRITE, risk: 'critical' }, [
      ['gcloud sql instances delete db', 'a database', { type: 'db:admin' }],
      ['gcloud app deploy', 'a deployment', { type: 'deploy:production' }],
    ]),
  ],
};

export const TERRAFORM_CASES: CliCases = {
  friendly: [
    ...rows(REMOTE_READ, [
      ['terraform show tfplan', 'a plan in words'],
      ['terraform output', 'sensitive values stay covered'],
      ['terraform state list', 'names'],
      ['terraform workspace show', 'a name'],
    ]),
    ...rows(LOCAL_READ, [
      ['terraform validate', 'a check'],
      ['terraform fmt -check -recursive', 'a check'],
      ['terraform version', 'nothing'],
      ['terraform providers', 'names'],
    ]),
    ...rows(LOCAL_WRITE, [['terraform fmt', 'changes files here', { type: 'code:write' }]]),
  ],
  hostile: [
    ...rows(SECRET, [
      ['terraform output -json', 'sensitive values'],
      ['terraform output --json', 'with two dashes'],
      ['terraform output -raw password', 'a sensitive value'],
      ['terraform output password', 'a name uncovers it'],
      ['terraform show -json', 'sensitive values'],
      ['terraform console', 'any expression'],
      ['tofu plan -show-sensitive', 'sensitive values'],
    ]),
    ...rows(DEPLOY, [
      ['terraform apply', 'a deployment'],
      ['terraform apply -auto-approve tfplan', 'a deployment'],
      ['terraform -chdir=infra destroy', 'the end of it'],
      ['terraform import a b', 'changes the state'],
      ['terraform taint a', 'changes the state'],
      ['terraform state rm a', 'changes the state', { operation: 'state rm' }],
      ['terraform state mv list show', 'names called like verbs'],
      ['terraform state pull', 'all of the state'],
      ['terraform state push x', 'replaces the state'],
      ['terraform state', 'no second word'],
      ['terraform workspace delete list', 'a name called list'],
      ['terraform refresh', 'changes the state'],
      ['tofu apply', 'the other name'],
    ]),
    ...rows({ ...REMOTE_WRITE, risk: 'high' }, [
      ['terraform init', 'installs programs'],
      [
        'terraform plan',
        'runs what the files of the workspace name',
        { operation: 'plan', type: 'custom:cli' },
      ],
      ['terraform plan -out=tfplan -var x=1', 'the same, and a file here', { writes: ['tfplan'] }],
      ['terraform -chdir=infra plan -destroy', 'the same in a folder inside'],
      ['terraform plan -refresh=false', 'data sources run all the same'],
      ['tofu plan', 'the other name'],
      ['terraform graph', 'starts the providers of the workspace'],
      ['terraform providers schema -json', 'starts the providers of the workspace'],
      ['terraform state show a', 'starts the providers of the workspace'],
      ['terraform get', 'fetches what the files of the workspace name'],
      ['terraform plan -out=/tmp/plan', 'a file elsewhere', { writes: ['/tmp/plan'] }],
    ]),
    ...rows(UNKNOWN, [
      ['terraform -chdir=/tmp/evil plan', 'programs of another folder'],
      ['terraform plan -var-file=/home/ana/x.tfvars', 'a file from elsewhere'],
      ['terraform plan -frobnicate', 'an option nobody knows'],
      ['terraform -frobnicate plan', 'the same before the verb'],
      ['terraform init -plugin-dir=/tmp/evil', 'programs from elsewhere'],
      ['terraform init -backend-config x', 'a state elsewhere'],
      ['terraform plans', 'no verb'],
      ['terraform', 'nothing'],
      ['terraform apply -var-file=../x', 'stays a deployment', { type: 'deploy:production' }],
    ]),
  ],
};

export const TRACKER_CASES: CliCases = {
  friendly: [
    ...rows(REMOTE_READ, [
      ['linear issue list', 'listing', { operation: 'issue list' }],
      ['linear issues view ABC-1 --json', 'one'],
      ['linear search x', 'a search'],
      ['dog monitor show 1', 'one'],
      ['datadog metrics query --from 1 --to 2 --query x', 'a query'],
    ]),
    ...rows({ ...REMOTE_WRITE, risk: 'high' }, [['linear issue create x', 'a write']]),
  ],
  hostile: [
    ...rows(UNKNOWN, [
      ['linear frobnicate list', 'no noun'],
      ['linear issue frobnicate list', 'no verb'],
      ['linear --api-url=x issue list', 'another address'],
      ['linear issue list --api-key x', 'other credentials'],
      ['dog --config=x monitor show 1', 'a configuration'],
      ['dog monitor', 'no verb'],
      ['datadog-ci synthetics run-tests', 'starts something'],
      ['datadog-ci lambda instrument', 'changes something'],
      ['linear', 'nothing'],
    ]),
    ...rows({ ...REMOTE_WRITE, risk: 'high' }, [
      ['linear delete list', 'a name called list'],
      ['linear issue delete view', 'a name called view'],
      ['dog monitor mute 1', 'silences an alarm'],
    ]),
  ],
};
