import { endOnEarlySignals } from '../process/early-signals.ts';

/** The API process. It handles signals before it loads the rest, which takes about a second. */

endOnEarlySignals();
await import('./serve.ts');
