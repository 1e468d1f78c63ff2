(function (internal) { "use strict"; })
