import type { Rolldown } from 'vite';

interface Graph {
  getModuleInfo: (id: string) => Pick<Rolldown.ModuleInfo, 'importers'> | null;
}

interface View {
  /** The files that load at once. */
  entries: RegExp;
  /** The icons of these files. All icons are imported through one index, so imports do not show which a file uses. */
  icons: RegExp;
}

/** A new visitor's first view, usually on a slow connection. */
const SIGN_IN: View = {
  entries: /\/apps\/web\/(index\.html|src\/main\.tsx|src\/pages\/auth-page\.tsx)$/,
  icons: /\/(chevron-down|circle-check|circle-exclamation-point|triangle-exclamation-point|eye|eye-off|info|x)\.mjs$/,
};

/** The first views of a merchant who returns. */
const SIGNED_IN: View = {
  entries: /\/apps\/web\/src\/(app\/(first-data\.ts|shell\/signed-in\.tsx)|pages\/(send-money|dashboard)-page\.tsx)$/,
  icons:
    /\/(arrow-(right|left|down-left|up-right|up-down)|chevron-right|receipt-text|circle-x|clock|loader|inbox|banknote|send|contact|wifi-off|house|shield-check|user-round)\.mjs$/,
};

const ICON = /\/lucide-react\/.*\/icons\//;

function isOf(view: View, id: string, graph: Graph): boolean {
  const seen = new Set<string>();
  const visit = (each: string): boolean => {
    if (view.entries.test(each)) return true;
    if (ICON.test(each)) return view.icons.test(each);
    if (seen.has(each)) return false;
    seen.add(each);
    return (graph.getModuleInfo(each)?.importers ?? []).some(visit);
  };
  return visit(id);
}

/** The chunk of a module that several pages share, by the first view that loads it. */
export function chunkByFirstView(id: string, graph: Graph): 'shared' | 'signed-in' | 'common' {
  if (isOf(SIGN_IN, id, graph)) return 'shared';
  return isOf(SIGNED_IN, id, graph) ? 'signed-in' : 'common';
}
