export { DesktopChannel, type DesktopOptions } from './desktop-channel.ts';
