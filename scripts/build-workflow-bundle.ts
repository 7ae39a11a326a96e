import { loadWorkflowBundle } from '../worker/workflow-bundle.ts';

/**
 * Run as a process of its own, with a cache folder: prints the path of the workflow bundle. The starter must not build
 * it itself: webpack would keep it from answering Ctrl-C, and from starting the servers meanwhile.
 */
const bundle = await loadWorkflowBundle({ cacheDir: process.argv[2] });
if ('codePath' in bundle) process.stdout.write(bundle.codePath);
