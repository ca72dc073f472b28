/** The window's title: the page's name, and before it how much is new, so that it shows in a row of tabs. */

let page = "";
let news = 0;

function write(): void {
  document.title = news > 0 ? `(${news}) ${page}` : page;
}

export function nameWindow(title: string): void {
  page = title;
  write();
}

/** How many things nobody has read yet; 0 takes the number away. */
export function countInTitle(count: number): void {
  news = count;
  write();
}
