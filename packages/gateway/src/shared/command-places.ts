/** What the agent calls the folder that its commands at the SSH door run in, unless a shim says otherwise. */
export const COMMAND_FOLDER = '/work';

/** The home of each command, in memory. */
export const COMMAND_HOME = '/tmp/home';
