package org.saevhadoop.converters.options;

import java.util.Iterator;
import java.util.List;
import org.saevhadoop.format.DatasetFormats;
import org.saevhadoop.format.settings.NearestWord;
import org.saevhadoop.format.settings.TypedText;
import org.saevhadoop.format.spi.DatasetFormat;
import picocli.CommandLine;
import picocli.CommandLine.IFactory;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Converts the names of formats that can be written, and lists them for completion and help.
 *
 * @param formats these formats
 */
public record FormatName(List<DatasetFormat> formats)
    implements ITypeConverter<DatasetFormat>, Iterable<String> {
  /** Returns a factory for the classes that command annotations name. */
  public static IFactory factory(DatasetFormats formats) {
    return new IFactory() {
      @Override
      public <K> K create(Class<K> type) throws Exception {
        return type == FormatName.class
            ? type.cast(new FormatName(formats.writable()))
            : CommandLine.defaultFactory().create(type);
      }
    };
  }

  private List<String> names() {
    return formats.stream().map(DatasetFormat::name).toList();
  }

  @Override
  public DatasetFormat convert(String name) {
    return formats.stream()
        .filter(entry -> entry.name().equalsIgnoreCase(name))
        .findFirst()
        .orElseThrow(
            () ->
                new TypeConversionException(
                    "unknown format \"%s\" (expected %s)".formatted(name, expected(name))));
  }

  private String expected(String name) {
    List<String> near = NearestWord.suggestions(TypedText.plain(name), names());
    return near.isEmpty() ? "one of " + names() : NearestWord.or(near);
  }

  @Override
  public Iterator<String> iterator() {
    return names().iterator();
  }
}
