let loading: Promise<void> | undefined;

/**
 * Loads the styles of all pages if this page has only its own. That is so in `auth.html`, which names the stylesheet:
 * a new visitor loads it after the sign-in page, like the code of every other page.
 */
export function loadAllStyles(): Promise<void> {
  const href = document.querySelector<HTMLMetaElement>('meta[name="all-styles"]')?.content;
  if (!href) return Promise.resolve();
  loading ??= addStylesheet(href).catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

function addStylesheet(href: string): Promise<void> {
  const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href });
  return new Promise((resolve, reject) => {
    link.onload = () => resolve();
    link.onerror = () => {
      link.remove();
      reject(new Error(`${href} could not be loaded`));
    };
    document.head.append(link);
  });
}
