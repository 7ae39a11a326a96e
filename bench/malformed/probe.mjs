import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Loaded into the API process before its own code: asked for it, collects garbage and tells how much memory is left. */

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');

process.on('message', (message) => {
  if (message !== 'memory') return;
  // A second one for what the first one's finalizers have let go.
  collect();
  setImmediate(() => {
    collect();
    process.send?.({ type: 'memory', ...process.memoryUsage() });
  });
});
