import type { ReferenceLines } from './reference-lines.ts';

/** Forges and clouds. */
export const CLOUD_LINES: ReferenceLines = {
  gh: {
    read: `--version
      config list`,
    fetch: `pr checkout 12
      pr list
      pr list --state merged --limit 20
      pr view 12 --comments
      pr status
      pr diff 12
      pr checks
      issue list --label bug
      issue view 7
      issue status
      repo view acme/app
      repo list acme
      run list --workflow ci.yml
      run view 99 --log-failed
      run watch 99
      workflow list
      release list
      release view v1.2.0
      gist list
      search issues "memory leak"
      search repos terminal --language go
      auth status
      label list
      api repos/acme/app/releases
      status`,
    send: `pr create --fill
      pr create --title "Fix login" --body "See #7" --draft
      pr merge 12 --squash --delete-branch
      pr review 12 --approve
      pr comment 12 --body "done"
      pr close 12
      pr ready
      pr edit 12 --add-label bug
      issue create --title "Crash on start" --body "steps"
      issue close 7
      issue comment 7 --body "fixed"
      issue edit 7 --add-assignee @me
      repo create acme/new --private
      repo clone acme/app
      repo fork acme/app --clone
      repo delete acme/old --yes
      run rerun 99
      run cancel 99
      run download 99
      workflow run ci.yml --ref main
      release create v1.3.0 --generate-notes
      release download v1.2.0
      gist create notes.md
      auth login
      secret set TOKEN
      label create bug --color FF0000
      api -X POST repos/acme/app/issues -f title=x`,
    asks: `browse
      alias set co "pr checkout"
      extension install acme/gh-ext
      pr view --web`,
  },
  glab: {
    read: `version
      --version
      config get editor`,
    fetch: `mr list
      mr view 12
      mr diff 12
      issue list --label bug
      issue view 7
      ci status
      ci list
      ci trace 4411
      repo view acme/app
      repo clone acme/app
      release list
      mr checkout 12
      auth status`,
    send: `mr create --fill
      mr merge 12
      mr approve 12
      mr note 12 -m "done"
      mr close 12
      issue create --title "Crash"
      issue close 7
      issue note 7 -m "fixed"
      ci run
      ci retry 4411
      release create v1.3.0
      variable set KEY value
      repo fork acme/app
      label create --name bug
      auth login`,
    asks: `alias set co "mr checkout"
      api projects`,
  },
  aws: {
    read: '--version',
    fetch: `s3 ls
      s3 ls s3://logs-bucket/2026/
      s3 cp s3://logs-bucket/a.txt a.txt
      ec2 describe-instances
      ec2 describe-instances --region eu-west-1 --output table
      ec2 describe-security-groups --group-ids sg-123
      iam list-users
      iam get-user --user-name mira
      lambda list-functions
      lambda get-function-configuration --function-name api
      logs describe-log-groups
      logs get-log-events --log-group-name /x --log-stream-name y
      cloudformation describe-stacks --stack-name web
      dynamodb scan --table-name orders
      dynamodb get-item --table-name orders --key '{"id":{"S":"1"}}'
      sqs list-queues
      sts get-caller-identity
      rds describe-db-instances
      ecs list-clusters
      eks describe-cluster --name main
      ecr describe-repositories
      route53 list-hosted-zones`,
    send: `s3 cp build s3://site-bucket --recursive
      s3 sync dist s3://site-bucket --delete
      s3 rm s3://site-bucket/old.txt
      s3 mb s3://new-bucket
      s3 rb s3://new-bucket --force
      ec2 start-instances --instance-ids i-123
      ec2 stop-instances --instance-ids i-123
      ec2 terminate-instances --instance-ids i-123
      ec2 create-tags --resources i-123 --tags Key=env,Value=dev
      iam create-user --user-name bot
      iam attach-user-policy --user-name bot --policy-arn arn:aws:iam::aws:policy/ReadOnlyAccess
      lambda invoke --function-name api out.json
      lambda update-function-code --function-name api --zip-file fileb://fn.zip
      cloudformation deploy --template-file t.yaml --stack-name web
      dynamodb put-item --table-name orders --item '{"id":{"S":"1"}}'
      sqs send-message --queue-url https://sqs.eu-west-1.amazonaws.com/1/q --message-body hi
      sns publish --topic-arn arn:aws:sns:eu-west-1:1:t --message hi
      secretsmanager get-secret-value --secret-id db
      ecr get-login-password
      ssm get-parameter --name /db/password --with-decryption
      rds delete-db-instance --db-instance-identifier old --skip-final-snapshot`,
    asks: 'configure',
  },
  gcloud: {
    read: `--version
      config list
      auth list
      config configurations list`,
    fetch: `projects list
      compute instances list
      compute instances list --project acme-dev
      compute instances describe web-1 --zone europe-west1-b
      container clusters list
      run services list --region europe-west1
      functions list
      sql instances list
      iam service-accounts list
      services list --enabled
      logging logs list
      storage buckets list`,
    send: `compute instances create web-1 --zone europe-west1-b
      compute instances stop web-1
      compute instances delete web-1 --quiet
      run deploy api --image gcr.io/acme/api --region europe-west1
      app deploy
      functions deploy hello --runtime nodejs22
      container clusters create main
      container clusters get-credentials main
      iam service-accounts create bot
      projects create acme-new
      projects add-iam-policy-binding acme-dev --member user:mira@example.com --role roles/viewer
      services enable run.googleapis.com
      auth login
      auth print-access-token
      compute ssh web-1
      sql instances create db --tier db-f1-micro`,
    asks: 'config set project acme-dev',
  },
  az: {
    read: `--version
      version
      vm --help`,
    fetch: `account show
      account list --output table
      group list
      vm list -d
      vm show -g shop -n web
      aks list
      webapp list
      storage account list
      network vnet list
      acr list
      role assignment list
      monitor metrics list --resource web`,
    send: `group create -n shop -l westeurope
      group delete -n shop --yes
      vm create -g shop -n web --image Ubuntu2404
      vm start -g shop -n web
      vm deallocate -g shop -n web
      vm delete -g shop -n web --yes
      aks create -g shop -n main
      aks get-credentials -g shop -n main
      webapp up -n shop-web
      storage account create -n shopdata -g shop
      storage blob upload -c logs -f a.txt -n a.txt --account-name shopdata
      keyvault secret show --vault-name kv -n db
      acr login -n acme
      account set --subscription dev
      login`,
  },
};
