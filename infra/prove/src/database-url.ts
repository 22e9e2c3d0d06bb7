/** The address of a service's database, for the user of the server's address. */
export function databaseUrl(serverUrl: string, databasePrefix: string, service: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${databasePrefix}_${service}`;
  return url.toString();
}
