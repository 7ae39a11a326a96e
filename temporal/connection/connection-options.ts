import { loadClientConnectConfig } from '@temporalio/envconfig';
import type { Config } from '../../process/config.ts';

/**
 * The client's gRPC library would use `grpc_proxy`, `https_proxy` and `http_proxy`, also for a
 * server on this machine. The worker's ignores them.
 */
export const ignoreProxies = { 'grpc.enable_http_proxy': 0 } as const;

/** Reads the variables of Temporal's SDKs (TEMPORAL_ADDRESS, TEMPORAL_API_KEY, …). */
const connectionOptions = (config: Config) =>
  loadClientConnectConfig({ overrideEnvVars: { ...config.temporalEnvironment }, disableFile: true })
    .connectionOptions;

const addressOf = ({ address = 'localhost:7233' }: { readonly address?: string }): string =>
  /:\d+$/.test(address) ? address : `${address}:7233`;
const isLoopback = (address: string): boolean =>
  /^(?:localhost|127(?:\.\d+){3}|\[::1\]):\d+$/i.test(address);

/** The proxy of TEMPORAL_PROXY, as `host:port`; null without one, and for a loopback address. */
function proxyOf({ TEMPORAL_PROXY: text }: Config, address: string) {
  if (text === undefined || isLoopback(address)) return null;
  const { hostname, port, username, password } = new URL(text);
  return {
    target: `${hostname}:${port === '' ? '80' : port}`,
    login:
      username === ''
        ? null
        : { username: decodeURIComponent(username), password: decodeURIComponent(password) },
  };
}

export function clientOptions(config: Config) {
  const options = connectionOptions(config);
  const address = addressOf(options);
  const proxy = proxyOf(config, address);
  if (proxy === null) return { ...options, channelArgs: ignoreProxies };
  const { target, login } = proxy;
  return {
    ...options,
    // As the library does it for `grpc_proxy`: it asks the proxy for the server.
    address: target,
    channelArgs: {
      ...ignoreProxies,
      'grpc.http_connect_target': `dns:${address}`,
      'grpc.default_authority': address,
      ...(login === null
        ? {}
        : { 'grpc.http_connect_creds': `${login.username}:${login.password}` }),
    },
  };
}

export function workerOptions(config: Config) {
  const options = connectionOptions(config);
  const proxy = proxyOf(config, addressOf(options));
  if (proxy === null) return options;
  const { target, login } = proxy;
  const basicAuth = login === null ? {} : { basicAuth: login };
  return { ...options, proxy: { type: 'http-connect' as const, targetHost: target, ...basicAuth } };
}

/** Names the server of a failed connection, and the variables that decide how it is reached. */
export function routeText(config: Config): string {
  const address = addressOf(connectionOptions(config));
  if (proxyOf(config, address) !== null) return `${address} through the proxy of TEMPORAL_PROXY`;
  const [ignored] = config.proxyVariables;
  if (ignored === undefined || isLoopback(address)) return address;
  return `${address} without a proxy (TEMPORAL_PROXY sets one; ${ignored} does not apply)`;
}
