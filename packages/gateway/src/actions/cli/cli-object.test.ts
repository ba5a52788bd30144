import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { currentSetting } from '../settings/current-setting.ts';
import { classifyCli } from './programs/classify-cli.ts';

const CONTEXT = { cwd: '/repo/app', home: '/home/ana', root: '/repo/app' };

const VIEW = {
  kind: 'known',
  entries: [],
  branch: 'main',
  repositories: () => ['github.com/acme/app'],
  mayBeTag: () => false,
  mayChangePipelines: () => false,
} as const;

function read(line: string, repository = 'github.com/acme/app') {
  const intent = classifyCli(line.split(' '), {
    ...CONTEXT,
    repositoryAt: () => ({ ...VIEW, repositories: () => [repository] }),
  });
  return { operation: intent?.operation, object: intent?.object };
}

describe('what a command is done to', () => {
  test.each([
    ['kubectl -n shop delete pod web-1', 'delete --namespace=shop', 'pod/web-1'],
    ['kubectl --context prod delete pod/web-1 pod/web-2', 'delete --context=prod', 'pod/web-1 pod/web-2'],
    ['kubectl scale deploy web --replicas=3', 'scale --replicas=3', 'deploy/web'],
    ['kubectl set image deploy/web web=x:2', 'set image', 'deploy/web web=x:2'],
    ['kubectl apply -f k8s/web.yaml -n=shop', 'apply --namespace=shop', '"file k8s/web.yaml"'],
    ['kubectl get pods -A -o wide', 'get --all-namespaces', 'pods'],
    ['kubectl exec -it web-1 -- sh -c id', 'exec --stdin --tty', 'pod/web-1 sh -c id'],
    ['kubectl drain n1 --ignore-daemonsets', 'drain --ignore-daemonsets', 'node/n1'],
    ['gh pr comment 12 --body hello', 'pr comment', 'github.com/acme/app 12'],
    ['gh pr comment 12 -b hello -R other/app', 'pr comment', 'github.com/other/app 12'],
    ['gh issue close 7 -R=ghe.test/acme/app', 'issue close', 'ghe.test/acme/app 7'],
    ['gh pr create -t x -b y --base main', 'pr create --base=main', 'github.com/acme/app'],
    ['gh pr merge 12 --squash', 'pr merge --squash', 'github.com/acme/app 12'],
    ['gh pr view 12', 'pr view', 'github.com/acme/app 12'],
    ['glab mr close 12', 'mr close --repo=github.com/acme/app', '12'],
    ['glab mr close 12 -R other/app', 'mr close --repo=other/app', '12'],
    ['terraform apply -target=aws_instance.web', 'apply -target=aws_instance.web', undefined],
    ['terraform import aws_s3_bucket.logs logs', 'import', 'aws_s3_bucket.logs logs'],
    ['terraform state rm aws_instance.web', 'state rm', 'aws_instance.web'],
    [
      'aws ec2 stop-instances --instance-ids i-1 i-2 --region eu-west-1',
      'ec2 stop-instances --region=eu-west-1',
      '"--instance-ids=i-1 i-2"',
    ],
    ['aws --profile prod s3 rm s3://logs/a', 's3 rm --profile=prod', 's3://logs/a'],
    ['aws s3 cp a.txt s3://logs/a --profile=prod', 's3 cp --profile=prod a.txt', 's3://logs/a'],
    [
      'gcloud compute instances stop web-1 --zone europe-west1-b --project acme',
      'compute instances stop --project=acme --zone=europe-west1-b',
      'web-1',
    ],
    ['gcloud --project=acme run deploy api --image x', 'run deploy --image=x --project=acme', 'api'],
    ['az vm start -g rg -n web --subscription dev', 'vm start --resource-group=rg --subscription=dev', 'web'],
    [
      'helm upgrade web ./chart --kube-context prod -n shop',
      'upgrade --kube-context=prod --namespace=shop',
      'web ./chart',
    ],
  ])('%s', (line, operation, object) => {
    expect(read(line)).toEqual({ operation, object });
  });
});

describe('[GA-11] a yes to one place is none to another', () => {
  const PLACES = [
    ['kubectl delete pod x', '--context=a', '--context b', '-n a', '--namespace=b', '-nc'],
    ['kubectl get secret x', '--context=a', '--context=b', '-n a'],
    ['helm upgrade web ./c', '--kube-context a', '--kube-context b', '-n a', '-n b'],
    ['gh pr comment 12 --body x', '-R a/b', '-R a/c', '-R ghe.test/a/b'],
    ['gh issue close 7', '-R a/b', '-R a/c'],
    ['glab mr close 7', '-R a/b', '-R a/c'],
    [
      'aws ec2 stop-instances --instance-ids i-1',
      '--profile a',
      '--profile b',
      '--region eu-west-1',
      '--region us-east-1',
    ],
    ['aws s3 rm s3://x/y', '--profile a', '--profile=b'],
    ['gcloud compute instances stop x', '--project a', '--project b', '--zone a', '--region b'],
    ['az vm start -n x', '-g a', '-g b', '--subscription a', '--subscription b'],
    ['terraform apply', '-target=a', '-target=b', '-var x=1', '-var-file=x'],
    ['terraform -chdir=a apply', '-target=a'],
  ] as const;

  test.each(PLACES.map(([line, ...more]) => [line, more] as const))('%s', (line, more) => {
    const seen = new Set<string>();
    for (const place of ['', ...more]) {
      const { operation, object } = read(`${line} ${place}`.trim());
      seen.add(JSON.stringify([operation, object ?? place]));
    }
    expect(seen.size).toBe(more.length + 1);
  });

  test.each(['gh pr close 12', 'gh issue comment 7 --body x', 'glab mr close 12'])(
    'without a name it is the repository of the folder: %s',
    (line) => {
      expect(read(line, 'github.com/acme/app')).not.toEqual(read(line, 'github.com/other/app'));
    },
  );

  test('what is current counts where the words do not say', () => {
    const at = (line: string, setting: string) =>
      classifyCli(line.split(' '), { ...CONTEXT, settingOf: () => setting })?.operation;
    for (const line of [
      'kubectl delete pod x',
      'helm uninstall x',
      'gcloud compute instances stop x',
      'az vm start -n x',
      'terraform apply',
    ])
      expect(at(line, 'dev'), line).not.toBe(at(line, 'prod'));
    expect(at('kubectl --context a delete pod x', 'dev')).toBe(
      at('kubectl --context a delete pod x', 'prod'),
    );
  });

  test('with options that nobody listed, all words are the object', () => {
    for (const line of ['gh pr close 12 --frobnicate x', 'kubectl delete pod x --frobnicate y'])
      expect(read(line).object, line).toBeUndefined();
  });

  test.each([
    'az vm create @params.json',
    'az deployment group create --parameters @p.json',
    'aws s3 ls --prof admin',
    'gcloud compute instances stop x --flags-file f',
    'kubectl kc delete pod x',
    'gh co 12',
  ])('a file of words, a short form or an alias is unknown: %s', (line) => {
    expect(classifyCli(line.split(' '), CONTEXT)?.unknown).toBeDefined();
  });

  test('a read with another profile is asked about', () => {
    expect(classifyCli('aws s3 ls --profile admin'.split(' '), CONTEXT)).toMatchObject({
      effect: 'write',
      risk: 'high',
    });
  });
});

describe('what a program goes by', () => {
  const home = mkdtempSync(join(tmpdir(), 'set-'));
  const put = (file: string, text: string): void => {
    mkdirSync(join(home, file, '..'), { recursive: true });
    writeFileSync(join(home, file), text);
  };
  test('is read from its own files', () => {
    expect(currentSetting('kubectl', home, home)).toBeUndefined();
    put('.kube/config', 'apiVersion: v1\ncurrent-context: "prod"\ncontexts: []\n');
    put('.config/gcloud/active_config', 'work');
    put(
      '.config/gcloud/configurations/config_work',
      '[core]\naccount = a\nproject = acme\n[compute]\nproject = no\n',
    );
    put('.terraform/environment', 'staging');
    put('.azure/azureProfile.json', '\uFEFF{"subscriptions":[{"id":"a"},{"id":"b","isDefault":true}]}');
    const all = ['kubectl', 'helm', 'gcloud', 'terraform', 'az', 'npm'].map((name) =>
      currentSetting(name, home, home),
    );
    expect(all).toEqual(['prod', 'prod', 'acme', 'staging', 'b', undefined]);
  });

  test('is nothing where a file cannot be understood', () => {
    put('.config/gcloud/active_config', '../../x');
    put('.azure/azureProfile.json', '{');
    expect(currentSetting('gcloud', home, home)).toBeUndefined();
    expect(currentSetting('az', home, home)).toBeUndefined();
  });
});
