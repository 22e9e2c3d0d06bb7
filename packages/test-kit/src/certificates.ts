import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TlsFiles } from './rabbitmq-node.ts';

const openssl = (dir: string, ...words: string[]) => execFileSync('openssl', words, { cwd: dir, stdio: 'pipe' });
const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

/**
 * Makes an authority in a directory, and a server's certificate for `name`, as docs/runbooks/tls.md does. The key
 * belongs to the owner of the directory. Needs openssl.
 */
export function makeCertificates(dir: string, name = 'localhost'): TlsFiles {
  mkdirSync(dir, { recursive: true });
  openssl(
    dir,
    'req',
    '-x509',
    ...KEY,
    '-days',
    '1',
    '-subj',
    '/CN=Vuka test CA',
    '-keyout',
    'ca.key',
    '-out',
    'ca.pem',
  );
  openssl(dir, 'req', ...KEY, '-subj', `/CN=${name}`, '-keyout', 'server.key', '-out', 'server.csr');
  writeFileSync(join(dir, 'names'), `subjectAltName=DNS:${name}`);
  const signing = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '1', '-extfile', 'names'];
  openssl(dir, 'x509', '-req', '-in', 'server.csr', ...signing, '-out', 'server.pem');
  const files = { authority: join(dir, 'ca.pem'), certificate: join(dir, 'server.pem'), key: join(dir, 'server.key') };
  const { uid, gid } = statSync(dir);
  for (const file of Object.values(files)) chownSync(file, uid, gid);
  chmodSync(files.key, 0o600);
  return files;
}
