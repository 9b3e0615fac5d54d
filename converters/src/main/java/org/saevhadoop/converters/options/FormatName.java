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

/** Converts the names of formats on the command line, and lists them for completion and help. */
public class FormatName implements ITypeConverter<DatasetFormat>, Iterable<String> {
  /** Converts the names of formats that can be written. */
  public static final class Writable extends FormatName {
    public Writable(DatasetFormats formats) {
      super(formats.writable());
    }
  }

  private final List<DatasetFormat> formats;

  public FormatName(DatasetFormats formats) {
    this(formats.all());
  }

  private FormatName(List<DatasetFormat> formats) {
    this.formats = formats;
  }

  /** Returns a factory of the objects that annotations of commands name. */
  public static IFactory factory(DatasetFormats formats) {
    return new IFactory() {
      @Override
      public <K> K create(Class<K> type) throws Exception {
        if (type == FormatName.class) {
          return type.cast(new FormatName(formats));
        }
        return type == Writable.class
            ? type.cast(new Writable(formats))
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
