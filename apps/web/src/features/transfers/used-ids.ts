import * as z from 'zod/mini';
import { parseJson } from '#shared/api-client.ts';

// A duplicated tab copies the draft, including its id. Tabs share the ids that were sent, so that the copy is not sent
// as well.

const KEY = 'vuka.sent-transfer-ids';
const LIMIT = 50;

function readIds(): string[] {
  const parsed = z.safeParse(z.array(z.string()), parseJson(localStorage.getItem(KEY) ?? ''));
  return parsed.success ? parsed.data : [];
}

function writeIds(ids: string[]): void {
  localStorage.setItem(KEY, JSON.stringify(ids.slice(-LIMIT)));
}

/** Whether a tab has sent a transfer under this id, successfully or without an answer. */
export function isSentId(id: string): boolean {
  return readIds().includes(id);
}

export function markSentId(id: string): void {
  writeIds([...readIds().filter((other) => other !== id), id]);
}

/** The server refused the transfer before it stored anything: the id is free again. */
export function freeSentId(id: string): void {
  writeIds(readIds().filter((other) => other !== id));
}

/** Calls back when another tab sends or frees an id. Returns the function that stops it. */
export function onSentElsewhere(listener: () => void): () => void {
  const onStorage = (event: StorageEvent): void => {
    if (event.key === KEY) listener();
  };
  window.addEventListener('storage', onStorage);
  return () => window.removeEventListener('storage', onStorage);
}
