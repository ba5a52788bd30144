import { type CommandCases, rowsOf } from './command-case.ts';

export const TERRAFORM_COMMANDS: CommandCases = {
  friendly: rowsOf(`
  read     -      custom:cli        | version |  | terraform version
  read     -      custom:cli        | validate |  | terraform validate
  read     -      custom:cli        | show | plan.bin | terraform show plan.bin
  read     -      custom:cli        | workspace list |  | terraform workspace list
  read     -      custom:cli        | state list |  | terraform state list
  read     -      code:read         | fmt -check |  | terraform fmt -check
  write    -      custom:cli        | plan |  | terraform plan -out=plan.bin
  write    -      custom:cli        | init |  | terraform init
  critical -      deploy:production | apply | plan.bin | terraform apply plan.bin
  critical -      deploy:production | apply | plan.bin | terraform apply -no-color plan.bin
  critical -      deploy:production | apply | plan.bin | tofu apply plan.bin
  read     -      custom:cli        | output |  | terraform output
  `),
  hostile: rowsOf(`
  critical refuse deploy:production | apply |  | terraform apply
  critical refuse deploy:production | apply |  | terraform apply -auto-approve
  critical refuse deploy:production | apply |  | terraform apply -auto-approve -input=false
  critical refuse deploy:production | destroy |  | terraform destroy
  critical refuse deploy:production | destroy |  | terraform destroy -auto-approve
  critical refuse deploy:production | apply -destroy | plan.bin | terraform apply -destroy plan.bin
  critical refuse deploy:production | apply -var=x=1 | plan.bin | terraform apply -var x=1 plan.bin
  critical refuse deploy:production | apply -var=x=1 |  | terraform apply -var=x=1
  critical refuse deploy:production | apply -target=a.b | plan.bin | terraform apply -target a.b plan.bin
  critical refuse deploy:production | apply -target=a.b |  | terraform apply -target a.b
  critical refuse deploy:production | apply -replace=a.b | plan.bin | terraform apply -replace=a.b plan.bin
  critical refuse deploy:production | apply -state=other.tfstate | plan.bin | terraform apply -state=other.tfstate plan.bin
  critical refuse deploy:production | apply | /etc/passwd | terraform apply /etc/passwd
  critical refuse deploy:production | apply | ../plan.bin | terraform apply ../plan.bin
  unknown  refuse custom:cli        | plan -chdir=/etc |  | terraform -chdir=/etc plan -out=x
  unknown  refuse deploy:production | apply -chdir=.. | plan.bin | terraform -chdir=.. apply plan.bin
  write    refuse custom:cli        | plan |  | terraform plan -out=/etc/cron.d/x
  write    refuse custom:cli        | plan |  | terraform plan -out ../x
  unknown  refuse custom:cli        | plan -var-file=/etc/passwd |  | terraform plan -var-file=/etc/passwd -out=x
  unknown  refuse custom:cli        | plan -var-file=../../x |  | terraform plan --var-file ../../x -out=x
  unknown  refuse custom:cli        | plan -state=/etc/x |  | terraform plan -state=/etc/x -out=x
  write    refuse custom:cli        | plan -generate-config-out=../x |  | terraform plan -generate-config-out=../x
  read     refuse custom:cli        | show | /etc/passwd | terraform show /etc/passwd
  critical refuse custom:cli        | console |  | terraform console
  critical refuse custom:cli        | login |  | terraform login
  critical refuse custom:cli        | logout |  | terraform logout
  unknown  ask    custom:cli        | init -plugin-dir=plugins |  | terraform init -plugin-dir=plugins
  unknown  refuse custom:cli        | init -plugin-dir=/tmp/plugins |  | terraform init -plugin-dir=/tmp/plugins
  unknown  ask    custom:cli        | init -from-module=evil |  | terraform init -from-module=evil
  unknown  ask    custom:cli        | init -backend-config=x |  | terraform init -backend-config=x
  write    ask    custom:cli        | init |  | terraform init -reconfigure
  write    ask    custom:cli        | init |  | terraform init -migrate-state
  write    ask    custom:cli        | init |  | terraform init -upgrade
  critical ask    deploy:production | test |  | terraform test
  critical ask    deploy:production | import | a.b id | terraform import a.b id
  critical ask    deploy:production | state rm | a.b | terraform state rm a.b
  critical ask    deploy:production | state push | x.tfstate | terraform state push x.tfstate
  critical ask    deploy:production | state mv | a b | terraform state mv a b
  critical ask    deploy:production | state pull |  | terraform state pull
  critical ask    deploy:production | taint | a.b | terraform taint a.b
  critical ask    deploy:production | untaint | a.b | terraform untaint a.b
  critical ask    deploy:production | force-unlock | x | terraform force-unlock x
  critical ask    deploy:production | refresh |  | terraform refresh
  critical ask    deploy:production | workspace new | x | terraform workspace new x
  critical ask    deploy:production | workspace select | prod | terraform workspace select prod
  write    ask    custom:cli        | plan -lock=false |  | terraform plan -lock=false
  write    ask    custom:cli        | plan -lock=false |  | terraform plan --lock=false -out=x
  critical -      custom:cli        | show | plan.bin | terraform show -json plan.bin
  critical -      custom:cli        | output |  | terraform output -json
  critical -      custom:cli        | output -raw | password | terraform output -raw password
  unknown  -      custom:cli        | frobnicate |  | terraform frobnicate
  unknown  -      custom:cli        | terraform |  | terraform
  `),
};
