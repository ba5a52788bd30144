import { z } from 'zod';

/** The whole config file. Sections live in `sections/`, one file each. Unknown keys are errors. */
export const ConfigSchema = z.strictObject({});

export type Config = z.infer<typeof ConfigSchema>;
