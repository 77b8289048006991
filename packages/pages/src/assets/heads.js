// The head of a table stays in sight while the page scrolls, where the table fits. One that does not fit
// scrolls sideways alone, and its head with it, as every table does without this.
{
  const sizes = new ResizeObserver((changes) => {
    for (const { target } of changes) {
      const table = target.closest('.table');
      table?.classList.toggle('fits', table.scrollWidth <= table.clientWidth);
    }
  });
  const watch = () => {
    for (const each of document.querySelectorAll('.table, .table > table')) sizes.observe(each);
  };
  watch();
  document.addEventListener('figures-refreshed', watch);
}
