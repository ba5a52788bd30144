import { channelsGroup } from './channels.ts';
import { runGroup } from './run-group.ts';

runGroup(channelsGroup);
