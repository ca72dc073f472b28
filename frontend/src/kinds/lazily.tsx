/** Parts of a kind's view that are fetched when first shown: the desk's first load has what most people write. */
import { lazy, Suspense, type ComponentType, type LazyExoticComponent } from "react";

/** Makes components of a module that is fetched once, by whichever of them is shown first. */
export function lazily<Module>(fetch: () => Promise<Module>) {
  let fetched: Promise<Module> | null = null;
  return function part<Props extends object>(pick: (module: Module) => ComponentType<Props>): ComponentType<Props> {
    const Late = lazy(async () => {
      // A fetch that failed is tried again the next time.
      fetched ??= fetch().catch((error: unknown) => {
        fetched = null;
        throw error;
      });
      return { default: pick(await fetched) };
    }) as LazyExoticComponent<ComponentType<object>>;
    return function LatePart(props: Props) {
      return (
        <Suspense fallback={null}>
          <Late {...props} />
        </Suspense>
      );
    };
  };
}
