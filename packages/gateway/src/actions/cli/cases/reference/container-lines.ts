import type { ReferenceLines } from './reference-lines.ts';

/** Containers, clusters, infrastructure. */
export const CONTAINER_LINES: ReferenceLines = {
  docker: {
    read: `--version
      ps -a
      images
      image ls
      logs -f web
      inspect web
      stats --no-stream
      top web
      port web
      diff web
      history nginx:1.27
      volume ls
      network ls
      system df
      info`,
    fetch: `pull nginx:1.27
      pull ghcr.io/acme/api:2.3
      search postgres`,
    host: `run --rm -it alpine sh
      run -d -p 8080:80 --name web nginx
      exec -it web bash
      stop web
      start web
      restart web
      rm -f web
      rmi acme/api:dev
      cp web:/etc/nginx/nginx.conf .
      network create lan
      volume create data
      volume rm data
      system prune -f
      kill web`,
    send: `push acme/api:1.0
      login ghcr.io
      logout`,
    work: `build -t acme/api:dev .
      tag acme/api:dev acme/api:1.0`,
  },
  'docker compose': {
    read: `version
      ps
      logs --tail 50 api
      config
      images
      top
      ls`,
    fetch: 'pull',
    host: `up -d
      up --build
      down
      down -v
      restart api
      stop
      start
      exec api sh
      run --rm api npm test
      rm -f`,
    send: 'push',
    work: 'build api',
  },
  helm: {
    read: `version
      repo list
      template web ./chart
      env
      help
      search repo redis`,
    fetch: `list -A
      status web
      history web
      get values web
      search hub prometheus
      show values bitnami/redis
      pull bitnami/redis
      repo update
      dependency update ./chart`,
    work: `create chart
      package ./chart
      lint ./chart`,
    send: `install web ./chart
      upgrade --install web ./chart -n shop
      rollback web 3
      uninstall web
      push web-1.0.tgz oci://registry.example.com/charts
      test web`,
  },
  kubectl: {
    read: `config current-context
      config get-contexts
      config view`,
    fetch: `get pods
      get pods -n shop -o wide
      get deploy,svc --all-namespaces
      get nodes --show-labels
      describe pod web-7f9
      logs -f deploy/web
      logs web-7f9 -c sidecar --previous
      top nodes
      explain pod.spec.containers
      api-resources
      version
      cluster-info
      events -n shop
      rollout status deployment/web
      rollout history deployment/web
      auth can-i delete pods
      diff -f manifests/
      wait --for=condition=Ready pod/web-7f9`,
    send: `apply -f manifests/web.yaml
      apply -k overlays/dev
      create -f job.yaml
      create namespace shop
      create deployment web --image=nginx
      delete pod web-7f9
      delete -f manifests/web.yaml
      scale deployment/web --replicas=4
      set image deployment/web web=nginx:1.27
      rollout restart deployment/web
      rollout undo deployment/web
      edit deployment web
      patch node n1 -p '{"spec":{"unschedulable":true}}'
      label pods web-7f9 tier=front
      annotate pods web-7f9 note=x
      expose deployment web --port=80
      autoscale deployment web --min=2 --max=5
      cordon n1
      drain n1 --ignore-daemonsets
      taint nodes n1 key=value:NoSchedule
      exec -it web-7f9 -- sh
      cp web-7f9:/tmp/a.log a.log
      port-forward svc/web 8080:80
      run tmp --rm -it --image=busybox -- sh`,
    asks: 'config use-context staging',
  },
  terraform: {
    read: `version
      -version
      validate
      fmt -check
      providers`,
    work: `fmt
      fmt -recursive`,
    fetch: `output
      show
      state list
      workspace list
      workspace show`,
    send: `init
      get
      init -upgrade
      plan
      plan -out=tf.plan
      plan -var region=eu-west-1
      apply
      apply -auto-approve
      apply tf.plan
      destroy
      destroy -target=aws_instance.web
      import aws_s3_bucket.logs logs-bucket
      state rm aws_instance.web
      state mv aws_instance.a aws_instance.b
      workspace new staging
      workspace select prod
      taint aws_instance.web
      output -json
      refresh
      login
      force-unlock 1234
      graph
      console`,
  },
};
