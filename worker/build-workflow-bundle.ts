import { loadWorkflowBundle } from './workflow-bundle.ts';

/** Builds the workflow bundle in the cache folder of its argument, and prints the bundle's path. */
const bundle = await loadWorkflowBundle({ cacheDir: process.argv[2] });
if ('codePath' in bundle) process.stdout.write(bundle.codePath);
