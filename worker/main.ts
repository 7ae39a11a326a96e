import { endOnEarlySignals } from '../process/early-signals.ts';
import { refuseArguments } from '../process/no-arguments.ts';

/** The worker process. It handles signals before it loads the rest, which takes about a second. */

endOnEarlySignals();
refuseArguments();
await import('./run.ts');
