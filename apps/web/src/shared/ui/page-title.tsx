import { useAbout } from '#shared/house.ts';

/** The title of the window: what the page is, and whose. */
export function PageTitle({ title }: { title: string }) {
  const { systemName } = useAbout();
  return <title>{`${title} – ${systemName}`}</title>;
}
