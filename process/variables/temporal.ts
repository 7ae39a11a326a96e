import * as v from 'valibot';
import { grpcAddress, httpUrl, port, proxyUrl, text } from '../config-values.ts';
import { optional, variable, type Variable } from './variable.ts';

/** The environment variables of Temporal and the worker. */
export const temporalVariables = {
  TEMPORAL_ADDRESS: optional(
    'The address of the Temporal server. Unset: `npm start` runs its own. The standard variables ' +
      'of the Temporal SDKs, such as TEMPORAL_API_KEY and TEMPORAL_TLS_*, work too.',
    grpcAddress(),
  ),
  TEMPORAL_PROXY: optional(
    'The HTTP CONNECT proxy for connections to Temporal, such as ' +
      'http://user:password@proxy.example.com:3128. Unset: none, because these connections ignore ' +
      'HTTPS_PROXY and similar variables. A server on the loopback interface never needs it.',
    proxyUrl(),
  ),
  TEMPORAL_NAMESPACE: variable('The Temporal namespace.', text(), 'default'),
  TEMPORAL_TASK_QUEUE: variable(
    'The task queue of workflows and activities. Reviews and inspections have a second one with ' +
      '`-decisions` at its end. Bulk jobs and review jobs have a third one with `-jobs`.',
    text(),
    'vendor-gateway',
  ),
  TEMPORAL_DEPLOYMENT_NAME: optional(
    'The name of the worker deployment, without a full stop. With it, the worker is versioned: ' +
      '`npm run deployment` chooses the build that gets new runs. Unset: not versioned.',
    v.pipe(text(), v.regex(/^[^.]{1,200}$/, 'must have 1 to 200 characters and no full stop')),
  ),
  TEMPORAL_WORKER_BUILD_ID: optional(
    'The build id of a versioned worker. Unset: from the hash of the workflow bundle.',
    text(),
  ),
  TEMPORAL_UI_URL: variable(
    'The base URL of the Temporal UI, for links to workflow histories. The embedded UI answers ' +
      'under its host name too.',
    httpUrl(),
    'http://127.0.0.1:8233',
  ),
  TEMPORAL_PORT: variable(
    'The port of the embedded Temporal server. `npm start` uses a free port if it is in use.',
    port(),
    '7233',
  ),
  TEMPORAL_UI_PORT: variable(
    'The port of the embedded Temporal UI. `npm start` uses a free port if it is in use.',
    port(),
    '8233',
  ),
  TEMPORAL_CLI: optional('The path of a `temporal` binary for `npm start`.', text()),
  WORKFLOW_BUNDLE: optional(
    'The path of a prebuilt workflow bundle. Unset: the worker builds one when it starts.',
    text(),
  ),
} as const satisfies Record<string, Variable>;
