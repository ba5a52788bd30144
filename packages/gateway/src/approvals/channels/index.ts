import type { ChannelName, Config } from '../../config/index.ts';
import type { ChannelDefinition, ChannelDefinitions, ChannelTools, OpenedChannel } from './definition.ts';
import { desktop } from './desktop/definition.ts';
import { discord } from './discord/definition.ts';
import { email } from './email/definition.ts';
import { slack } from './slack/definition.ts';
import { telegram } from './telegram/definition.ts';
import { webhook } from './webhook/definition.ts';

/** Every channel that the config's schema accepts, in the order in which they are tried. */
export const CHANNELS = {
  telegram,
  email,
  slack,
  discord,
  webhook,
  desktop,
} satisfies ChannelDefinitions;

export const CHANNEL_NAMES = Object.keys(CHANNELS) as readonly ChannelName[]; // `satisfies` above holds both together

export function openChannel<Name extends ChannelName>(
  name: Name,
  config: NonNullable<Config['channels'][Name]>,
  tools: ChannelTools,
): Promise<OpenedChannel> {
  // The map has for each name the definition of its settings; the compiler sees only the union of both.
  const definition = CHANNELS[name] as unknown as ChannelDefinition<Name>;
  return definition.open(config, tools);
}
