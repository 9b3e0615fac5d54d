package org.saevhadoop.converters.stats;

import java.util.List;
import org.saevhadoop.format.io.Quote;

/** HTML elements that are also XML elements. */
final class Html {
  private Html() {}

  /** Returns text, escaped for use in an element or an attribute value. */
  static String escaped(String text) {
    return Quote.show(text)
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }

  /** Returns a table whose first column is the header of its rows. */
  static String table(List<String> header, List<List<String>> rows) {
    StringBuilder html = new StringBuilder("<div class=\"scroll\"><table>\n<thead><tr>");
    header.forEach(name -> html.append("<th scope=\"col\">").append(escaped(name)).append("</th>"));
    html.append("</tr></thead>\n<tbody>\n");
    for (List<String> row : rows) {
      html.append("<tr><th scope=\"row\">").append(escaped(row.get(0))).append("</th>");
      row.stream().skip(1).forEach(v -> html.append("<td>").append(escaped(v)).append("</td>"));
      html.append("</tr>\n");
    }
    return html.append("</tbody></table></div>\n").toString();
  }
}
