import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';

type Environment = Readonly<Record<string, string>>;

const readCertificate = (pem: string): unknown => new X509Certificate(pem);
const tlsParts = [
  ['TEMPORAL_TLS_CLIENT_CERT', readCertificate, 'a certificate (PEM)'],
  ['TEMPORAL_TLS_CLIENT_KEY', createPrivateKey, 'a private key without a passphrase (PEM)'],
  ['TEMPORAL_TLS_SERVER_CA_CERT', readCertificate, 'a certificate (PEM)'],
] as const;
type TlsPart = (typeof tlsParts)[number];

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : 'failed');
const isSet = (environment: Environment, name: string): boolean =>
  environment[`${name}_PATH`] !== undefined || environment[`${name}_DATA`] !== undefined;

function problemsOf(environment: Environment, [name, parse, form]: TlsPart): readonly string[] {
  const path = environment[`${name}_PATH`];
  const data = environment[`${name}_DATA`];
  if (path !== undefined && data !== undefined)
    return [`${name}_PATH, ${name}_DATA: set only one of them`];
  const variable = path === undefined ? `${name}_DATA` : `${name}_PATH`;
  let pem = data;
  try {
    if (path !== undefined) pem = readFileSync(path, 'utf8');
  } catch (error) {
    return [`${variable}: ${reasonOf(error)}`];
  }
  try {
    if (pem !== undefined) parse(pem);
    return [];
  } catch {
    return [`${variable}: must be ${form}`];
  }
}

/**
 * The faults of the TLS variables of Temporal's SDK, one line each. The SDK would throw an error
 * without the name of the variable, or connect without TLS or without the client's certificate.
 */
export function temporalTlsProblems(environment: Environment): readonly string[] {
  const { TEMPORAL_TLS: tls } = environment;
  if (tls !== undefined && !['true', '1', 'false', '0'].includes(tls))
    return ['TEMPORAL_TLS: must be true or false'];
  // The SDK then reads no certificate.
  if (tls === 'false' || tls === '0') return [];
  const problems = tlsParts.flatMap((part) => problemsOf(environment, part));
  const [cert, key] = ['TEMPORAL_TLS_CLIENT_CERT', 'TEMPORAL_TLS_CLIENT_KEY'];
  if (isSet(environment, cert) !== isSet(environment, key))
    problems.push(`${cert}_PATH, ${key}_PATH (or _DATA): set both or neither`);
  return problems;
}
