const MASK = '***';
/** Field names of secrets, in any letter case, with any prefix to the last word. */
const SECRET =
  /^(pin|currentpin|newpin|seal|cookie|.*(password|secret|token|authorization|apikey|privatekey|pepper))$/i;

/** A copy of data without PINs and secrets, to show to administrators. */
export function maskSecrets(data: unknown): unknown {
  if (Array.isArray(data)) return data.map(maskSecrets);
  if (data === null || typeof data !== 'object') return data;
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [
      name,
      SECRET.test(name.replaceAll(/[_-]/g, '')) ? MASK : maskSecrets(value),
    ]),
  );
}
