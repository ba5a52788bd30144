import { peopleGroup } from './people.ts';
import { runGroup } from './run-group.ts';

runGroup(peopleGroup);
