/** The oldest browsers that can run the app: the minimum versions of Tailwind 4. */
export const BROWSERS = ['chrome111', 'safari16.4', 'firefox128'];
