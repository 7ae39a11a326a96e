import { vendorCase } from '../api/cases/vendor-case.ts';
import { isUuid } from '../api/validation/fields.ts';
import { loadConfigOrExit } from '../process/config.ts';
import { caseKinds, readCase } from '../db/cases/read-case.ts';
import { connect } from '../db/core/client.ts';
import { configuredRing, ringFileOf } from '../embedded/keys/load-keys.ts';
import { isKeyRingProblem } from '../security/key-ring.ts';
import { createPrivateFile } from '../security/private-file.ts';
import { signDocument } from '../security/sign-document.ts';
import { readCaseRuns, runOutline } from '../temporal/runs/case-runs.ts';
import { exitWithUsage, readCommandLine, Refusal, runCommand } from './command-line.ts';
import { requireGateway } from './require-gateway.ts';

/**
 * `npm run case`: writes one file with the record of an offer, a return, a delivery or a job, its
 * history, audit entries, events and attempts, and its runs, which `npm run replay -- FILE`
 * replays.
 */

const usage = `npm run case -- ${caseKinds.join('|')} ID [--vendor-safe] [--out FILE]
  --vendor-safe  what the vendor may see, signed: a JWS that /.well-known/jwks.json verifies
  --out FILE     default: case-KIND-ID.json; - writes to stdout`;

/** The header type of a signed case. */
const caseType = 'vendor-gateway-case+json';

function readArguments() {
  const { values, positionals } = readCommandLine(usage, {
    allowPositionals: true,
    options: { 'vendor-safe': { type: 'boolean' }, out: { type: 'string' } },
  });
  const [kind, id, ...rest] = positionals;
  const known = caseKinds.find((each) => each === kind);
  if (known === undefined || id === undefined || !isUuid(id) || rest.length > 0)
    return exitWithUsage(usage);
  return {
    subject: { kind: known, id: id.toLowerCase() },
    isVendorSafe: values['vendor-safe'] === true,
    file: values.out ?? `case-${known}-${id}.json`,
  };
}

const given = readArguments();
const config = loadConfigOrExit();

async function run(): Promise<string> {
  const { subject, isVendorSafe, file } = given;
  const { databaseUrl, client } = await requireGateway(config);
  const sql = connect(databaseUrl, { max: 1, name: 'vendor-gateway case' });
  try {
    const record = await readCase(sql, subject.kind, subject.id);
    if (record === null) throw new Refusal(`There is no ${subject.kind} ${subject.id}.`);
    const { workflowIds, ...rest } = record;
    const runs = await readCaseRuns(client, workflowIds);
    const about = { ...subject, writtenAt: new Date().toISOString() };
    if (!isVendorSafe) return write(file, { case: about, ...rest, runs }, runs.length);
    const shown = await vendorCase(sql, subject, record);
    if (shown === null) throw new Refusal('This return goes to a sorting point, to no vendor.');
    const document = { case: about, ...shown, runs: runs.map(runOutline) };
    const ring = configuredRing(config, config.JWT_KEYS_FILE ?? ringFileOf(config.GATEWAY_HOME));
    return write(file, signDocument(document, caseType, ring), runs.length);
  } finally {
    await sql.end({ timeout: 5 });
    await client.connection.close();
  }
}

function write(file: string, content: unknown, runs: number): string {
  const text = JSON.stringify(content, null, 1);
  if (file === '-') return text;
  if (!createFile(file, `${text}\n`))
    throw new Refusal(`${file} exists already; choose another file with --out.`);
  return `Wrote ${file}, with ${runs} runs. Only you may read it.`;
}

/** The file system of a container is read-only. */
function createFile(file: string, text: string): boolean {
  try {
    return createPrivateFile(file, text);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    throw new Refusal(
      `${file} cannot be written (${String(error.code)}). Choose another file, or --out - for stdout.`,
    );
  }
}

await runCommand(async () => console.log(await run()), isKeyRingProblem);
