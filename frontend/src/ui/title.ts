/** The window's title: the number of unread notices, then the page's name, so that a row of tabs shows both. */

let page = "";
let news = 0;

function write(): void {
  document.title = news > 0 ? `(${news}) ${page}` : page;
}

export function nameWindow(title: string): void {
  page = title;
  write();
}

/** The number of unread notices; 0 removes it. */
export function countInTitle(count: number): void {
  news = count;
  write();
}
