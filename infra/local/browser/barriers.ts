import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

const WCAG_2_2_AA = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const TARGET_SIZE = 'target-size';

type Violation = Awaited<ReturnType<AxeBuilder['analyze']>>['violations'][number];

/** Off-screen content keeps its previous colours and widths until it is scrolled into view; checks need all of it. */
export function showOffScreenContent(page: Page): Promise<void> {
  return page.evaluate(() => {
    const all = new CSSStyleSheet();
    all.replaceSync('* { content-visibility: visible !important }');
    document.adoptedStyleSheets.push(all);
  });
}

/** The accessibility problems of a page, in both themes. The page must show its off-screen content. */
export async function findBarriers(page: Page): Promise<string[]> {
  await turnTo(page, 'light');
  const light = await new AxeBuilder({ page }).withTags(WCAG_2_2_AA).setLegacyMode().analyze();
  const violations = light.violations.filter(({ id }) => id !== TARGET_SIZE);
  const small = light.violations.find(({ id }) => id === TARGET_SIZE)?.nodes ?? [];
  for (const { target } of small) violations.push(...(await measureInView(page, String(target[0]))));
  // The themes differ only in their colours.
  await turnTo(page, 'dark');
  const dark = await new AxeBuilder({ page }).withRules('color-contrast').setLegacyMode().analyze();
  return [...violations, ...dark.violations].map(
    ({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.html.slice(0, 160)} ${node.failureSummary}`).join(' | ')}`,
  );
}

/** A sticky button may cover a part of a target only until that is scrolled to the middle of the page. */
async function measureInView(page: Page, selector: string): Promise<Violation[]> {
  await page.locator(selector).evaluate((target) => target.scrollIntoView({ block: 'center', behavior: 'instant' }));
  const axe = new AxeBuilder({ page }).include(selector).withRules(TARGET_SIZE).setLegacyMode();
  return (await axe.analyze()).violations;
}

function turnTo(page: Page, theme: 'light' | 'dark'): Promise<void> {
  return page.evaluate(async (chosen) => {
    document.documentElement.dataset.theme = chosen;
    // Contrast is not required in the middle of a colour transition.
    const changes = document.getAnimations().filter((animation) => animation instanceof CSSTransition);
    await Promise.allSettled(changes.map((change) => change.finished));
  }, theme);
}
