import type { DoctorCheck } from '../config/index.ts';
import { BACKENDS } from './backends.ts';

/** Whether agents can be jailed here: a jail is built and thrown away. */
export const jailDoctorCheck: DoctorCheck = {
  id: 'sandbox.jail',
  title: 'jail',
  async run() {
    const problem = BACKENDS.bubblewrap.probe();
    if (problem === undefined) return { status: 'ok', message: '`sallyport run` can jail agents here' };
    const { message, hint } = problem;
    return { status: 'fail', message, ...(hint === undefined ? {} : { fix: hint }) };
  },
};
