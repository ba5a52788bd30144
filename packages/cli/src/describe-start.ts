import type { RunningGateway } from '@sallyport/gateway';
import { type Output, table } from './output.ts';

/** What a person reads after a start: that it runs, where, and what to do next. */
export function describeStart(gateway: RunningGateway, output: Output): readonly string[] {
  const { home, urls, firstStart } = gateway;
  const where = table([
    ['  agents', urls.api],
    ['  proxy', urls.proxy],
    ['  operator', urls.operator],
    ['  config', home.config],
    ['  home', home.home],
  ]);
  const next = table([
    ['  npx sallyport run -- claude', 'your agent, in a jail'],
    ['  npx sallyport watch', 'what agents do, and what waits for you'],
    ["  npx sallyport explain -- 'Bash(git push origin main)'", 'what the gate would say'],
  ]);
  return [
    `${output.style('green', 'Sallyport is running.')}${firstStart ? ' This was its first start: everything it needs was made.' : ''}`,
    '',
    ...where,
    '',
    ...(firstStart ? ['What to do next, in another terminal:', ...next, ''] : []),
    output.style('dim', 'Ctrl-C stops it; `sallyport stop --now` is the kill switch.'),
  ];
}
