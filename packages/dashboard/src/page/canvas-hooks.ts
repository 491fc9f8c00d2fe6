import { useEffect, useLayoutEffect, useState } from 'preact/hooks';

/** One more at each change of what a canvas takes its colours from. */
export const useTheme = (): number => {
  const [count, setCount] = useState(0);
  useEffect(() => {
    const changed = (): void => setCount((before) => before + 1);
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    const chosen = new MutationObserver(changed);
    chosen.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
    scheme.addEventListener('change', changed);
    return () => {
      chosen.disconnect();
      scheme.removeEventListener('change', changed);
    };
  }, []);
  return count;
};

/** The width of an element, as long as it is there. */
export const useWidth = (holder: { readonly current: HTMLElement | null }): number => {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = holder.current;
    if (!element) return undefined;
    const measure = (): void => setWidth(element.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [holder]);
  return width;
};
