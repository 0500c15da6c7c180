/* Fits Steplight's frames to their content: <iframe data-steplight src="..."> and this script, anywhere on the page. */
addEventListener('message', function (event) {
  var data = event.data;
  if (!data || data.type !== 'steplight:height' || !(data.height > 0 && data.height < 20000)) return;
  document.querySelectorAll('iframe[data-steplight]').forEach(function (frame) {
    // Only the frame itself, as long as it shows the page that it was made for, may say how tall it is.
    if (frame.contentWindow !== event.source || new URL(frame.src).origin !== event.origin) return;
    frame.style.height = Math.ceil(data.height) + 'px';
  });
});
