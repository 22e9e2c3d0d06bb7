/** One toast at a time: a new one replaces the one on screen. */
interface ToastAction {
  label: string;
  to: string;
}

export interface Toast {
  title: string;
  description?: string;
  tone?: 'success' | 'destructive';
  action?: ToastAction;
}

export interface ShownToast extends Toast {
  id: number;
}

let current: ShownToast | undefined;
let nextId = 1;
const listeners = new Set<() => void>();

function publish(toast: ShownToast | undefined): void {
  current = toast;
  for (const listener of listeners) listener();
}

export function showToast(toast: Toast): void {
  publish({ ...toast, id: nextId++ });
}

export function showError(title: string, description?: string): void {
  showToast({ title, tone: 'destructive', ...(description ? { description } : {}) });
}

export function dismissToast(id?: number): void {
  if (id === undefined || current?.id === id) publish(undefined);
}

export const toastStore = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  read: (): ShownToast | undefined => current,
};
