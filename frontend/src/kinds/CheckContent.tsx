/** An item's content for those who check it: with the answer hidden first, where the kind has one to hide. */
import type { CheckProps, KindView } from "./kind";

export function CheckContent({ view, ...props }: CheckProps & { view: KindView }) {
  if (view.Check) return <view.Check {...props} />;
  const { content, rules, findings, reasons } = props;
  return <view.Reader content={content} rules={rules} findings={findings} reasons={reasons} />;
}
