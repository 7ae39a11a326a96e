import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
/** The flag adds the global to contexts that are created after it. */
export const collectGarbage = runInNewContext('gc') as () => void;
