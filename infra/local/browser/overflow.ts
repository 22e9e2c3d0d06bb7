import type { Page } from 'playwright-core';

const WIDTHS = [320, 360, 768, 1024] as const;
const HEIGHT = 740;

/** Makes each time of day as wide as it can be: "1:05 PM" is narrower than "12:05 PM". */
function widenTimes(page: Page): Promise<void> {
  return page.evaluate(() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const { data } = texts.currentNode as Text;
      const widest = data.replace(/\b\d(:\d\d(:\d\d)?\s(AM|PM|EAT))/g, '12$1');
      if (widest !== data) (texts.currentNode as Text).data = widest;
    }
  });
}

/** The first element that extends beyond the right edge of the window, scrolled or clipped there, if any. */
function standsOut(page: Page): Promise<string | undefined> {
  return page.evaluate(async () => {
    // Content that depends on the width is rendered one frame later.
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
    const { scrollWidth, clientWidth } = document.documentElement;
    const scrolls = (element: Element) => /auto|scroll/.test(getComputedStyle(element).overflowX);
    const out = [...document.body.querySelectorAll('*')].find((element) => {
      if (element.getBoundingClientRect().right <= clientWidth + 0.5 || !element.checkVisibility()) return false;
      for (let at = element.parentElement; at; at = at.parentElement) if (scrolls(at)) return false;
      return true;
    });
    if (!out && scrollWidth <= clientWidth) return undefined;
    return `${scrollWidth} px wide: ${JSON.stringify(out?.getBoundingClientRect())} ${out?.outerHTML.slice(0, 260)}`;
  });
}

/** Where a page is wider than its window, at several widths and with text at twice the size. The page must show its off-screen content. */
export async function findOverflow(page: Page): Promise<string[]> {
  const found: string[] = [];
  const check = async (size: string) => {
    await widenTimes(page);
    const wide = await standsOut(page);
    if (wide) found.push(`at ${size}: ${wide}`);
  };
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: HEIGHT });
    await check(`${width} px`);
  }
  await page.setViewportSize({ width: 360, height: HEIGHT });
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '200%';
  });
  await check('200 % text');
  return found;
}
