import * as v from 'valibot';
import { environments } from '../../domain/accounts/credentials.ts';
import { baseUrl, integer, networks, port, text } from '../config-values.ts';
import { variable, type Variable } from './variable.ts';

/** The environment variables of the API process and of the log. */
export const serverVariables = {
  NODE_ENV: variable(
    '`npm start` refuses to run in `production`: it is for development.',
    v.picklist(['development', 'test', 'production']),
    'development',
  ),
  GATEWAY_ENVIRONMENT: variable(
    'What this installation is for. A `Sandbox` has routes with which vendors try the API, and ' +
      'needs its own database, namespace and keys. `npm run sandbox` starts one.',
    v.picklist(environments),
    'Production',
  ),
  HOST: variable('The address that the API listens on.', text(), '127.0.0.1'),
  PORT: variable(
    'The port that the API listens on. `npm start` uses a free port if this one is in use.',
    port(),
    '3000',
  ),
  CONNECTIONS_MAX: variable(
    'The most connections of one API process at a time. It closes a new one above that at once.',
    integer(10, 100_000),
    '2000',
  ),
  KEEP_ALIVE_MS: variable(
    'How long the API keeps an idle connection. It must be longer than the proxy in front keeps ' +
      'its own: otherwise the proxy sends a request on a connection that is about to close.',
    integer(1000, 3_600_000),
    '72000',
  ),
  PUBLIC_URL: variable(
    'The base URL at which vendors reach the API. With it, the links in errors are absolute, and ' +
      'the guides show this URL.',
    baseUrl(),
    '',
  ),
  LOG_LEVEL: variable(
    'The lowest level that is logged.',
    v.picklist(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    'info',
  ),
  GATEWAY_HOME: variable(
    'The state directory of `npm start`, with its data and keys.',
    text(),
    '.gateway',
  ),
  TRUST_PROXY: variable(
    'The proxies whose X-Forwarded-For the API trusts: addresses or networks. Empty: none.',
    networks(),
    '',
  ),
} as const satisfies Record<string, Variable>;
