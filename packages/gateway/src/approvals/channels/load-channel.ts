// Each channel's library is loaded only when the config names the channel: most gateways use one or two.

export const loadTelegramChannel = () => import('./telegram/index.ts');
export const loadEmailChannel = () => import('./email/index.ts');
export const loadSlackChannel = () => import('./slack/index.ts');
export const loadDiscordChannel = () => import('./discord/index.ts');
export const loadWebhookChannel = () => import('./webhook/index.ts');
export const loadDesktopChannel = () => import('./desktop/index.ts');
